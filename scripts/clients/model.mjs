// A model on loopback that follows a script, for the three clients' protocols: it
// asks for one tool after the other, then says done. It keeps what it was shown
// before it asked for any, and the results it got.
import { createServer } from "node:http";

export const done = "The script is at its end.";

// Each dialect: its path, the results of tools that a request brings back, and the
// answer that asks for a tool or, without a step, ends the turn.
const dialects = [
  {
    path: /^\/v1\/messages$/,
    results: (body) => body.messages.flatMap((m) => m.content).filter((b) => b.type === "tool_result").map((b) => JSON.stringify(b.content)),
    answer(step, n) {
      const block = step ? { type: "tool_use", id: `tool_${n}`, name: `mcp__combray__${step.tool}`, input: step.args } : { type: "text", text: done };
      const delta = step ? { type: "input_json_delta", partial_json: JSON.stringify(step.args) } : { type: "text_delta", text: done };
      const usage = { input_tokens: 1, output_tokens: 1 };
      const message = { id: `message_${n}`, type: "message", role: "assistant", model: "scripted", content: [], stop_reason: null, stop_sequence: null, usage };
      return events([
        { type: "message_start", message },
        { type: "content_block_start", index: 0, content_block: step ? { ...block, input: {} } : { ...block, text: "" } },
        { type: "content_block_delta", index: 0, delta },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: step ? "tool_use" : "end_turn", stop_sequence: null }, usage },
        { type: "message_stop" },
      ]);
    },
  },
  {
    path: /^\/v1\/responses$/,
    results: (body) => body.input.filter((i) => i.type === "function_call_output").map((i) => JSON.stringify(i.output)),
    answer(step, n) {
      const item = step
        ? { type: "function_call", call_id: `call_${n}`, namespace: "mcp__combray", name: step.tool, arguments: JSON.stringify(step.args) }
        : { type: "message", role: "assistant", content: [{ type: "output_text", text: done }] };
      const usage = { input_tokens: 1, input_tokens_details: null, output_tokens: 1, output_tokens_details: null, total_tokens: 2 };
      return events([
        { type: "response.created", response: { id: `response_${n}` } },
        { type: "response.output_item.done", output_index: 0, item },
        { type: "response.completed", response: { id: `response_${n}`, usage } },
      ]);
    },
  },
  {
    path: /:(streamGenerateContent|generateContent)$/,
    results: (body) => body.contents.flatMap((c) => c.parts).filter((p) => p.functionResponse).map((p) => JSON.stringify(p.functionResponse.response)),
    answer(step) {
      const part = step ? { functionCall: { name: `mcp_combray_${step.tool}`, args: step.args } } : { text: done };
      const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
      return events([{ candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }], usageMetadata }]);
    },
  },
];

const events = (list) => list.map((e) => `${e.type ? `event: ${e.type}\n` : ""}data: ${JSON.stringify(e)}\n\n`).join("");

// scriptedModel listens until the test's home ends. It is the proxy of its client
// too: what the client wants to send elsewhere ends here, and is kept in outside.
export async function scriptedModel(at, steps) {
  const model = { prompts: [], results: [], outside: [] };
  let answers = 0;
  const server = createServer(async (from, to) => {
    let text = "";
    for await (const part of from) text += part;
    const url = new URL(from.url, `http://${from.headers.host}`);
    const dialect = dialects.find((d) => d.path.test(url.pathname));
    if (from.method !== "POST" || !dialect) {
      if (url.hostname !== "127.0.0.1") model.outside.push(url.host);
      return to.writeHead(404, { "content-type": "application/json" }).end("{}");
    }
    const body = JSON.parse(text);
    const results = dialect.results(body);
    if (results.length === 0) model.prompts.push(body);
    if (results.length > model.results.length) model.results = results;
    const step = body.tools?.length ? steps[results.length] : undefined; // without tools: a title, a summary
    to.writeHead(200, { "content-type": "text/event-stream" }).end(dialect.answer(step, ++answers));
  });
  server.on("connect", (request, socket) => {
    model.outside.push(request.url);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  at.ends.push(() => { server.closeAllConnections(); server.close(); });
  model.url = `http://127.0.0.1:${server.address().port}`;
  return model;
}

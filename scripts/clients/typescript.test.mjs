// Both lines of the TypeScript SDK, every protocol era they know, both transports.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as v1 from "@modelcontextprotocol/sdk/client/index.js";
import * as v1stdio from "@modelcontextprotocol/sdk/client/stdio.js";
import * as v1http from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as v2 from "@modelcontextprotocol/client";
import * as v2stdio from "@modelcontextprotocol/client/stdio";
import { callAll } from "./calls.mjs";
import { home, overHTTP, overStdio } from "./combray.mjs";

const who = { name: "combray-clients", version: "1" };
const first = { Client: v1.Client, Stdio: v1stdio.StdioClientTransport, HTTP: v1http.StreamableHTTPClientTransport };
const second = { Client: v2.Client, Stdio: v2stdio.StdioClientTransport, HTTP: v2.StreamableHTTPClientTransport };
const clients = [
  { name: "SDK 1", line: first },
  { name: "SDK 2, legacy", line: second, mode: "legacy" },
  { name: "SDK 2, auto", line: second, mode: "auto", era: "2026-07-28" },
  { name: "SDK 2, pinned", line: second, mode: { pin: "2026-07-28" }, era: "2026-07-28" },
];

for (const { name, line, mode, era } of clients) {
  for (const transport of ["stdio", "HTTP"]) {
    test(`TypeScript ${name} over ${transport}`, { timeout: 120_000 }, async (t) => {
      const at = home(t);
      const client = new line.Client(who, { capabilities: {}, versionNegotiation: mode && { mode } });
      await client.connect(await open(line, transport, at));
      if (era) assert.equal(client.getNegotiatedProtocolVersion(), era);
      await everything(client);
      await client.close();
    });
  }
}

async function open(line, transport, at) {
  if (transport === "stdio") return new line.Stdio({ ...overStdio(at), stderr: "inherit" });
  const { url, token } = await overHTTP(at);
  return new line.HTTP(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } });
}

// everything lists, calls and reads. The SDK itself holds each answer against the
// output schema of its tool.
async function everything(client) {
  const { tools } = await client.listTools();
  const called = await callAll((name, args) => client.callTool({ name, arguments: args }));
  assert.deepEqual(tools.map((tool) => tool.name).sort(), called.sort(), "a tool is listed and not called, or called and not listed");
  const { resources } = await client.listResources();
  for (const { uri } of resources) assert.ok((await client.readResource({ uri })).contents.length, uri);
  assert.ok((await client.listResourceTemplates()).resourceTemplates.length);
  assert.ok((await client.listPrompts()).prompts.length);
  await refused(() => client.callTool({ name: "no_such_tool", arguments: {} }));
  await assert.rejects(client.readResource({ uri: "memory://item/000000000000" }));
}

// refused accepts either kind of error: the eras differ in which one they want.
async function refused(call) {
  const result = await call().catch(() => ({ isError: true }));
  assert.ok(result.isError);
}

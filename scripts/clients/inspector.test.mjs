// The official inspector, as a command: both protocol eras, both transports.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { binary, home, overHTTP, run } from "./combray.mjs";

const inspector = fileURLToPath(new URL("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", import.meta.url));

// ask runs one method and gives what the inspector printed as JSON.
async function ask(at, target, era, ...method) {
  const { code, out, err } = await run(process.execPath, [inspector, "--cli", target, "--protocol-era", era, "--format", "json", "-q", ...method], at);
  assert.equal(code, 0, `${method.join(" ")}: ${err}${out}`);
  const answer = JSON.parse(out);
  return answer.result ?? answer;
}

const call = (name, args) => ["--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args)];

for (const era of ["legacy", "modern"]) {
  test(`inspector, ${era} era, over stdio`, { timeout: 180_000 }, async (t) => {
    const at = home(t);
    await asked((...method) => ask({ env: at.env }, binary, era, ...method));
  });
  test(`inspector, ${era} era, over HTTP`, { timeout: 180_000 }, async (t) => {
    const at = home(t);
    const { url, token } = await overHTTP(at);
    await asked((...method) => ask({ env: at.env }, url, era, ...method, "--header", `Authorization: Bearer ${token}`));
  });
}

async function asked(method) {
  const { tools } = await method("--method", "tools/list");
  assert.ok(tools.some((tool) => tool.name === "remember"));
  const stored = await method(...call("remember", { content: "The heron nests by the northern weir" }));
  const found = await method(...call("recall", { query: "Where does the heron nest?" }));
  assert.equal(found.structuredContent.memories[0].id, stored.structuredContent.id);
}

// Warnings are no failure: the keys of answers carry no types on purpose, which
// keeps the list of tools short.
test("inspector finds no schema that a client could not take", { timeout: 60_000 }, async (t) => {
  const at = home(t);
  // Without arguments the program serves its default profile; a profile in the
  // environment is the one way to choose through the inspector's own options.
  const { code, out, err } = await run(process.execPath, [inspector, "--cli", binary, "--method", "tools/list", "--strict"],
    { env: { ...at.env, COMBRAY_PROFILE: "full" } });
  assert.equal(code, 0, err + out);
});

// Every tool, called through one client: the calls of bench.json in their order.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const bench = JSON.parse(readFileSync(new URL("bench.json", import.meta.url)));

// callAll makes the calls. An answer must be no error, and its text must say the
// same as its structured content.
export async function callAll(call) {
  const saved = {};
  const one = async (name, given) => {
    const args = JSON.parse(JSON.stringify(given ?? {}).replace(/\{\{(\w+)\}\}/g, (_, key) => saved[key]));
    const result = await call(name, args);
    const text = result.content.map((c) => c.text).join("");
    assert.ok(!result.isError, `${name}: ${text}`);
    assert.deepEqual(JSON.parse(text), result.structuredContent, `${name}: text and structuredContent differ`);
    return result;
  };
  for (const s of bench.setup) {
    const result = await one(s.name, s.arguments);
    for (const [key, path] of Object.entries(s.save ?? {})) saved[key] = path.split(".").reduce((v, k) => v[k], result);
  }
  for (const [name, given] of Object.entries(bench.calls)) for (const args of [given].flat()) await one(name, args);
  return Object.keys(bench.calls);
}

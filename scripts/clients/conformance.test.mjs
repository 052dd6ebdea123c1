// The official conformance suite over both requirement sets. What is expected to
// fail stands in the expected-*.yml files, each with its reason; a failure that
// is not there fails the test, and so does one that is there and passes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { home, overHTTP, run } from "./combray.mjs";
import { withToken } from "./door.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const suite = here("node_modules/@modelcontextprotocol/conformance/dist/index.js");

for (const revision of ["2025-11-25", "2026-07-28"]) {
  test(`conformance with ${revision}`, { timeout: 180_000 }, async (t) => {
    const at = home(t);
    const url = await withToken(at, await overHTTP(at));
    const { code, out, err } = await run(process.execPath, [suite, "server", "--url", url, "--requirements", revision,
      "--expected-failures", here(`expected-${revision}.yml`), "-o", join(at.folder, "results")], { env: at.env, cwd: at.folder });
    assert.equal(code, 0, out.slice(out.indexOf("=== SUMMARY ===")) + err);
  });
}

// The Python SDK, both protocol eras, both transports.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { test } from "node:test";
import { home, overHTTP, overStdio } from "./combray.mjs";

const script = fileURLToPath(new URL("python_client.py", import.meta.url));

for (const mode of ["legacy", "auto"]) {
  for (const transport of ["stdio", "HTTP"]) {
    test(`Python SDK, ${mode}, over ${transport}`, { timeout: 120_000 }, async (t) => {
      const at = home(t);
      const server = transport === "stdio" ? overStdio(at) : await overHTTP(at);
      const running = promisify(execFile)("python3", [script, mode]);
      running.child.stdin.end(JSON.stringify(server));
      await assert.doesNotReject(running);
    });
  }
}

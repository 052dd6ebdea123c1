// A whole turn each of three real agents: the true client with the server and the
// hook that combray setup wrote, and a model that follows a script. The turn
// stores a memory and recalls it, and what came to mind before reaches the prompt.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { test } from "node:test";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { command, home, put, run } from "./combray.mjs";
import { done, scriptedModel } from "./model.mjs";

const inAgents = (path) => fileURLToPath(new URL(`agents/node_modules/${path}`, import.meta.url));
const machine = `${process.platform}-${process.arch}`;

const agents = [
  {
    name: "claude-code",
    run: (at, model, prompt) => run(inAgents(`@anthropic-ai/claude-code-${machine}/claude`), ["-p", prompt, "--allowedTools", "mcp__combray"],
      inProject(at, { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "none", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_TELEMETRY: "1", DISABLE_ERROR_REPORTING: "1", DISABLE_AUTOUPDATER: "1" })),
  },
  {
    name: "codex",
    before(at, model) {
      put(join(at.folder, ".codex/config.toml"), `model = "scripted"
model_provider = "loopback"
check_for_update_on_startup = false

[analytics]
enabled = false

[features]
apps = false
plugins = false

[model_providers.loopback]
name = "loopback"
base_url = "${model.url}/v1"
wire_api = "responses"
`);
    },
    run: (at, model, prompt) => run(process.execPath, [inAgents("@openai/codex/bin/codex.js"), "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", prompt],
      inProject(at, {})),
  },
  {
    name: "gemini",
    before(at) {
      put(join(at.folder, ".gemini/settings.json"), JSON.stringify({
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false }, privacy: { usageStatisticsEnabled: false }, telemetry: { enabled: false },
        security: { folderTrust: { enabled: false }, auth: { selectedType: "gemini-api-key" } },
      }, null, 2));
    },
    run: (at, model, prompt) => run(process.execPath, [inAgents("@google/gemini-cli/bundle/gemini.js"), "--approval-mode", "yolo", "-p", prompt],
      inProject(at, { GOOGLE_GEMINI_BASE_URL: model.url, GEMINI_API_KEY: "none", GEMINI_TELEMETRY_ENABLED: "false" })),
  },
];

function inProject(at, env) {
  const cwd = join(at.folder, "project");
  mkdirSync(cwd, { recursive: true });
  return { cwd, env: { ...at.env, TERM: "dumb", ...at.proxy, ...env } };
}

const came = "They danced the waltz by the fountain";
const stored = "The heron nests by the northern weir";

for (const agent of agents) {
  test(`a turn of ${agent.name}`, { timeout: 240_000 }, async (t) => {
    const at = home(t);
    const model = await scriptedModel(at, [
      { tool: "remember", args: { content: stored } },
      { tool: "recall", args: { query: "Where does the heron nest?" } },
    ]);
    at.proxy = { HTTP_PROXY: model.url, HTTPS_PROXY: model.url, NO_PROXY: "127.0.0.1,localhost" };
    agent.before?.(at, model);
    command(at, "setup", agent.name, "--yes");
    command(at, "setup", "hook", agent.name, "--yes");
    surface(at);

    const { code, out, err } = await agent.run(at, model, "What nests by the weir?");
    assert.equal(code, 0, out + err);
    assert.deepEqual(model.outside, [], "the client turned to somebody else");
    assert.match(out, new RegExp(done));
    const [remembered, recalled] = model.results;
    assert.match(remembered ?? "", /northern weir/, "remember did not come back");
    assert.match(recalled ?? "", /northern weir/, "recall did not find what was stored");
    const shown = JSON.stringify(model.prompts);
    assert.ok(shown.includes("long-term memory"), "the model was not shown the instructions");
    assert.ok(shown.includes(came), "the hook's text did not reach the prompt; a busy machine may take longer than a hook has");
    assert.match(command(at, "list"), new RegExp(stored));
  });
}

// surface lets a memory come back before the turn: the place and the hour of the
// day are those of the event.
function surface(at) {
  const place = ["lat=48.8566", "lon=2.3522"];
  command(at, "call", "remember", `content=${came}`, "event_at=2023-04-30T16:00:00+02:00", ...place);
  assert.match(command(at, "call", "sense", "at=2023-05-07T16:10:00+02:00", ...place), new RegExp(came));
}

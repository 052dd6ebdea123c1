// Combray for a test: a home of its own, the server over stdio and over HTTP.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

export const binary = process.env.COMBRAY;

// The runtime library of this machine, which a fresh home lacks.
const library = JSON.parse(execFileSync(binary, ["models", "list", "--json"])).find((m) => m.name === "onnxruntime").path;

// home makes a folder in which Combray and its clients keep everything. When the
// test ends, what runs in it is ended and then it is removed. PATH is all they
// have of this machine.
export function home(t) {
  const folder = mkdtempSync(join(tmpdir(), "combray-clients-"));
  const ends = [];
  t.after(async () => {
    for (const end of ends.reverse()) await end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  put(join(folder, ".config/combray/config.toml"), `ort_lib = ${JSON.stringify(library)}\n`);
  return { folder, ends, env: { PATH: process.env.PATH, HOME: folder, NO_COLOR: "1" } };
}

export function put(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

// command runs one command of Combray in a home and gives what it printed.
export const command = (at, ...args) => execFileSync(binary, args, { env: at.env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

// overStdio is how a client starts the server in a home.
export const overStdio = (at) => ({ command: binary, args: ["mcp", "--profile", "full"], env: at.env, cwd: at.folder });

// overHTTP starts the server in a home, on a port of its own choice and with the
// token that its first start makes.
export async function overHTTP(at) {
  const server = spawn(binary, ["serve", "--listen", "127.0.0.1:0", "--profile", "full"], { env: at.env, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((done) => server.once("exit", done));
  at.ends.push(() => { server.kill(); return ended; });
  const said = [];
  for await (const line of createInterface(server.stderr)) {
    said.push(line);
    const url = /http:\S+\/mcp/.exec(line)?.[0];
    if (url) return { url, token: readFileSync(join(at.folder, ".local/share/combray/token"), "utf8").trim() };
  }
  throw new Error(`combray serve ended: ${said.join(" ")}`);
}

// run executes a program and gives its exit code and what it printed.
export function run(program, args, options) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
  let out = "", err = "";
  child.stdout.on("data", (d) => (out += d));
  child.stderr.on("data", (d) => (err += d));
  return new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", (code, signal) => done({ code: code ?? signal, out, err }));
  });
}

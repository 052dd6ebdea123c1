// A door that adds the token to every request, for clients that cannot send one.
import { createServer, request } from "node:http";

// withToken listens on loopback and gives the address of the server behind it.
export async function withToken(at, { url, token }) {
  const behind = new URL(url);
  const door = createServer((from, to) => {
    // Host and Origin pass through as they are: the server itself must judge them.
    const headers = { ...from.headers, authorization: `Bearer ${token}` };
    const onward = request({ host: behind.hostname, port: behind.port, path: from.url, method: from.method, headers, agent: false }, (answer) => {
      to.writeHead(answer.statusCode, answer.headers);
      to.flushHeaders();
      answer.pipe(to);
    });
    onward.on("error", () => to.destroy());
    to.on("close", () => onward.destroy());
    from.pipe(onward);
  });
  await new Promise((ready) => door.listen(0, "127.0.0.1", ready));
  at.ends.push(() => { door.closeAllConnections(); door.close(); });
  return `http://127.0.0.1:${door.address().port}${behind.pathname}`;
}

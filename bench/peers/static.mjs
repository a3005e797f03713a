/** The least that a server can be: node:http and one fixed answer. The measure of a cold start. */
import { createServer } from "node:http";

const server = createServer((_request, response) => {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": 15 });
  response.end('{"status":"ok"}');
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(
    `${JSON.stringify({ ready: true, url: `http://127.0.0.1:${server.address().port}` })}\n`,
  );
});

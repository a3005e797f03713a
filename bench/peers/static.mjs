/** A minimal server with one fixed answer: the lower limit of a cold start. */
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

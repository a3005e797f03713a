/**
 * Takes webhooks: /live answers 204, /dead never answers, and GET /count tells how many came to /live and for how
 * many ms, from the first to the last; DELETE /count starts anew.
 */
import { createServer } from "node:http";
import { sayReady } from "./answers.mjs";

let count = 0;
let first = 0;
let last = 0;

function tell(request, response) {
  if (request.method === "DELETE") count = 0;
  response.end(JSON.stringify({ count, ms: last - first }));
}

function take(request, response) {
  request.resume();
  if (request.url === "/dead") return;
  last = performance.now();
  if (count++ === 0) first = last;
  response.writeHead(204);
  response.end();
}

const server = createServer((request, response) =>
  request.url === "/count" ? tell(request, response) : take(request, response),
);
server.listen(0, "127.0.0.1", () => sayReady(server));

/**
 * Receives webhooks: /live answers 204, /dead never answers. GET /count returns the number of webhooks at /live and the
 * time from the first to the last, in ms; DELETE /count resets it.
 */
import { createServer } from "node:http";
import { printReady } from "./answers.mjs";

let count = 0;
let first = 0;
let last = 0;

function sendCount(request, response) {
  if (request.method === "DELETE") count = 0;
  response.end(JSON.stringify({ count, ms: last - first }));
}

function receive(request, response) {
  request.resume();
  if (request.url === "/dead") return;
  last = performance.now();
  if (count++ === 0) first = last;
  response.writeHead(204);
  response.end();
}

const server = createServer((request, response) =>
  request.url === "/count" ? sendCount(request, response) : receive(request, response),
);
server.listen(0, "127.0.0.1", () => printReady(server));

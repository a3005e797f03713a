/**
 * A server of node:http, JSON.parse and Ajv that stores a line for each request in PostgreSQL before it replies, in batches:
 * the upper limit for a store of this kind in Node. Arguments: URL of the database, characters in a line.
 */
import { createServer } from "node:http";
import Ajv from "ajv";
import { createBareTable, lineOf } from "../bare-table.mjs";
import { phoneStartSchema, printReady, verification } from "./answers.mjs";

const [url, length] = process.argv.slice(2);
const table = await createBareTable(url, "bare_server");
const line = lineOf(Number(length));
const validate = new Ajv().compile(phoneStartSchema);
/** Time in ms that the first line of a batch waits for others, as in Standin. */
const batchDelayMs = 2;
let count = 0;
let waiting = [];
let isBusy = false;

async function flush() {
  isBusy = true;
  await new Promise((resolve) => setTimeout(resolve, batchDelayMs));
  while (waiting.length > 0) {
    const replies = waiting;
    waiting = [];
    await table.insert(replies.map(() => line));
    for (const reply of replies) reply();
  }
  isBusy = false;
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const isValid = validate(body);
    const text = JSON.stringify(isValid ? verification(++count, body.phone) : { error: validate.errors });
    waiting.push(() => {
      response.writeHead(isValid ? 201 : 400, {
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(text),
      });
      response.end(text);
    });
    if (!isBusy) void flush();
  });
});
server.listen(0, "127.0.0.1", () => printReady(server));

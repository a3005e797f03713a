/** A server of node:http, JSON.parse and Ajv: the upper limit for a validating server in Node. */
import { createServer } from "node:http";
import Ajv from "ajv";
import {
  balance,
  bvnVerification,
  phoneStartSchema,
  printReady,
  verification,
  verifyBvnSchema,
} from "./answers.mjs";

const ajv = new Ajv();
const validate = ajv.compile(phoneStartSchema);
const validateBvn = ajv.compile(verifyBvnSchema);
let count = 0;

function send(response, status, body) {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
}

const server = createServer((request, response) => {
  if (request.url === "/v1/balance") return send(response, 200, balance);
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const body = JSON.parse(Buffer.concat(chunks).toString());
    if (request.url === "/v1/verify/bvn") {
      if (validateBvn(body)) send(response, 200, bvnVerification(++count, body.bvn));
      else send(response, 400, { error: validateBvn.errors });
    } else if (validate(body)) send(response, 201, verification(++count, body.phone));
    else send(response, 400, { error: validate.errors });
  });
});
server.listen(0, "127.0.0.1", () => printReady(server));

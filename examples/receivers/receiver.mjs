/**
 * A webhook receiver on Node alone. Run it with
 *
 *     WEBHOOK_SECRET=whsec_... PORT=3000 node receiver.mjs
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secret = process.env.WEBHOOK_SECRET;
const port = Number(process.env.PORT ?? 3000);
const largest = 1024 * 1024;
if (!secret) throw new Error("WEBHOOK_SECRET is not set");

/** Checks the signature of `rawBody`, a Buffer with the bytes as received. */
export function isGenuine(rawBody, signature = "") {
  const expected = Buffer.from(createHmac("sha256", secret).update(rawBody).digest("hex"));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

// A repeated delivery has the same bytes and signature. In production, store signatures in a database as a unique key.
const seen = new Set();

function handle(rawBody, signature) {
  if (!isGenuine(rawBody, signature)) return 401;
  let event;
  try {
    event = JSON.parse(rawBody);
  } catch {
    return 400;
  }
  if (seen.has(signature)) return 204;
  seen.add(signature);
  // Queue the event here and process it later: the answer must be sent within ten seconds.
  console.log(event.event);
  return 204;
}

createServer((request, response) => {
  const answer = (status) => response.writeHead(status).end();
  if (request.method !== "POST") return answer(405);
  const chunks = [];
  let size = 0;
  request.on("data", (chunk) => {
    size += chunk.length;
    if (size <= largest) chunks.push(chunk);
  });
  request.on("end", () =>
    answer(size > largest ? 413 : handle(Buffer.concat(chunks), request.headers["x-service-signature"])),
  );
}).listen(port, "127.0.0.1");

/** What the clients of the corpus share: requests as they should be made, a receiver, and the set-up of a test. */
import { createHmac } from "node:crypto";
import { createServer } from "node:http";

const { SERVICE_BASE_URL: base, SERVICE_KEY: key, WEBHOOK_SECRET: secret } = process.env;

/** Each client has one bug, and is repaired with this argument. */
export const isRepaired = process.argv[2] === "repaired";

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends a request. Throws an error with `status` for a refusal, and one without for a reply that is lost or broken. */
export async function send(method, path, body, { timeout = 10_000 } = {}) {
  const response = await fetch(base + path, {
    method,
    headers: { "X-Service-Key": key, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(timeout),
  });
  const text = await response.text();
  const reply = JSON.parse(text);
  if (response.ok) return { ...reply, text };
  const retryAfter = Number(response.headers.get("Retry-After") ?? 1);
  throw Object.assign(new Error(`${path}: ${response.status}`), {
    status: response.status,
    retryAfter,
    reply,
  });
}

/** Reads, and repeats what was refused for a while. */
export async function read(path, options) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send("GET", path, undefined, options);
    } catch (error) {
      const isTemporary = error.status === undefined || error.status === 429 || error.status >= 500;
      if (!isTemporary || attempt === 4) throw error;
      await sleep((error.retryAfter ?? attempt) * 1_000);
    }
  }
}

/** Sets up the account, as a tester does. */
export const given = (parts) => send("POST", "/_sandbox/scenarios", { name: "set-up", given: parts });
export const advance = (by) => send("POST", "/_sandbox/clock/advance", { by });

export const settled = {
  payout_account: { bank_code: "058", account_number: "0123456789" },
  payments: [{ amount: 20_000, settled: true }],
};

/** Waits until `check` returns something. */
export async function until(check, ms = 4_000) {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(20)) {
    const found = await check();
    if (found) return found;
  }
  throw new Error("waited in vain");
}

export const isGenuine = (body, signature) =>
  createHmac("sha256", secret).update(body).digest("hex") === signature;

/** Receives webhooks. `handle` gets each genuine event that was not handled before, and may throw. */
export async function receive(handle, { refuse = () => 401, isKnown = (seen, id) => seen.has(id) } = {}) {
  const seen = new Set();
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const signature = request.headers["x-service-signature"];
      if (!isGenuine(body, signature)) return response.writeHead(refuse()).end();
      const event = JSON.parse(body);
      if (!isKnown(seen, signature)) {
        seen.add(signature);
        handle(event);
      }
      response.writeHead(204).end();
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  await send("POST", "/v1/webhooks", { url: `http://127.0.0.1:${server.address().port}/` });
  return server;
}

/** Returns the newest event of a kind whose message has these words, or undefined. */
export async function lookFor(kind, words) {
  const { events } = await read("/v1/business/events");
  return events.find((event) => event.kind === kind && event.message.includes(words));
}

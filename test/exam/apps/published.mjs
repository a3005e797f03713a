/**
 * A shop on a published client with its defaults. `undici` is its RetryAgent itself; the others repeat as their documentation
 * says, so that the tests need none of them: `got` and `ky` repeat reads twice, `axios-retry` repeats whatever broke, and
 * `p-retry` repeats whatever was thrown, ten times.
 */
import { randomUUID } from "node:crypto";
import { Agent, RetryAgent, request } from "undici";

const { SERVICE_BASE_URL: base } = process.env;
const name = process.argv[2];
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const agent = new RetryAgent(new Agent());

/** Sends a request once. Rejects with the status, 0 without one. */
async function once(key, method, path, body) {
  const headers = { "x-service-key": key, "content-type": "application/json" };
  const options = { method, headers, body: body && JSON.stringify(body) };
  if (name === "undici") {
    const { statusCode, body: reply } = await request(base + path, { ...options, dispatcher: agent });
    if (statusCode >= 300) throw new Error(`${path}: ${statusCode}`);
    return reply.json();
  }
  const signal = name === "ky" ? AbortSignal.timeout(10_000) : undefined;
  const reply = await fetch(base + path, { ...options, signal }).catch((error) => {
    throw Object.assign(error, { status: 0 });
  });
  const wait = Number(reply.headers.get("retry-after") ?? 0);
  if (!reply.ok) throw Object.assign(new Error(`${path}: ${reply.status}`), { status: reply.status, wait });
  return reply.json();
}

const isTemporary = ({ status }) => status === 0 || status === 429 || status >= 500;
/** Number of further attempts, which failures are repeated, and the pause before attempt `n` in seconds. */
const policies = {
  undici: [0],
  got: [2, (error, isRead) => isRead && isTemporary(error), (n) => 2 ** (n - 1)],
  ky: [2, (error, isRead) => isRead && isTemporary(error), (n) => 0.3 * 2 ** (n - 1)],
  "axios-retry": [3, (error, isRead) => error.status === 0 || (isRead && isTemporary(error)), () => 0],
  "p-retry": [10, () => true, (n) => 2 ** (n - 1)],
};

async function send(key, method, path, body) {
  const [more, repeats, pause] = policies[name];
  for (let n = 1; ; n++) {
    try {
      return await once(key, method, path, body);
    } catch (error) {
      if (n > more || !repeats(error, method === "GET")) throw error;
      await sleep(1_000 * Math.max(error.wait ?? 0, pause(n)));
    }
  }
}

async function open(given) {
  const key = `svc_test_${randomUUID().slice(0, 12)}`;
  await once(key, "POST", "/_sandbox/scenarios", { name: "set-up", given });
  return (method, path, body) => send(key, method, path, body);
}

const check = (isRight, what) => {
  if (!isRight) throw new Error(what);
};
const given = {
  payout_account: { bank_code: "058", account_number: "0123456789" },
  payments: [{ amount: 20_000, settled: true }],
};

try {
  const books = await open(given);
  const { payments } = await books("GET", "/v1/business/payments");
  check(payments.length === 1 && payments[0].status === "success" && payments[0].net === 19_800, "income");
  const till = await open(given);
  const payout = await till("POST", "/v1/business/payouts", { amount: 7_000 });
  check(payout.status === "requested" && payout.fee + payout.you_receive === 7_000, "a payout");
  process.exit(0);
} catch (error) {
  console.error(error);
  process.exit(1);
}

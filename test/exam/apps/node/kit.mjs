/** What the suites of these clients share: an account for each test, a receiver's port, and waiting. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";

export const base = process.env.SERVICE_BASE_URL;
/** Which client this is: "right", another right one, or one with a bug. */
export const variant = process.argv[2] ?? "right";
export const is = (...names) => names.includes(variant);
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Opens an account, as a tester does. */
export async function openAccount(given) {
  const key = `svc_test_${randomUUID().slice(0, 12)}`;
  async function control(method, path, body) {
    const response = await fetch(`${base}/_sandbox${path}`, {
      method,
      headers: { "X-Service-Key": key, "Content-Type": "application/json" },
      body: body && JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  }
  if (given) await control("POST", "/scenarios", { name: "set-up", given });
  const { webhook_secret: secret } = await control("GET", "/account");
  return {
    key,
    secret,
    control,
    advance: (by) => control("POST", "/clock/advance", { by }),
    rule: (rule) => control("POST", "/rules", rule),
    async code(to) {
      return (await control("GET", `/inbox/wait?to=${encodeURIComponent(to)}`)).codes[0];
    },
  };
}

/** Listens on a free port until the test ends. */
export async function listen(t, server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${server.address().port}/hooks`;
}

export async function eventually(check, ms = 8_000) {
  for (const end = Date.now() + ms; ; await sleep(25)) {
    const found = await check();
    if (found) return found;
    if (Date.now() > end) throw new Error("it did not happen in time");
  }
}

export const settled = {
  payout_account: { bank_code: "058", account_number: "0123456789" },
  payments: [{ amount: 20_000, settled: true }],
};

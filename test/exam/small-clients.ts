/** Parts of clients that are one command each, as small as they can be. */
import { client, examine } from "./corpus.js";

export const idsOf = ({ card }: Awaited<ReturnType<typeof examine>>): string[] =>
  card.findings.map(({ id }) => id);

/** Examines a client that evaluates this code, by what `only` names. */
export const examineOnly = (only: string, code: string, flags: readonly string[] = []) =>
  examine(client(code), ["--only", only, ...flags]);

export const check = `const check = (isRight) => { if (!isRight) process.exit(1); };`;
export const person = `{ bvn: "22222222220", first_name: "Ada", last_name: "Obi" }`;
export const given = (parts: string) =>
  `await post("/_sandbox/scenarios", { name: "set-up", given: ${parts} });`;
export const settled = given(
  `{ payout_account: { bank_code: "058", account_number: "0123456789" }, payments: [{ amount: 20000, settled: true }] }`,
);
/** Opens the account number `id`, and pays into it. */
export const payIn = `const { id } = await post("/v1/business/virtual-accounts", { customer_name: "Ada", customer_email: "a@example.com" });
    await post("/v1/business/test/simulate-payment", { virtual_account_id: id, amount: 5000 });`;
/** A receiver that answers with what `answer(body, signature)` returns, and `until(check)`. */
export const receiver = (answer: string) => `
  const { createServer } = await import("node:http");
  const { createHmac } = await import("node:crypto");
  const { webhook_secret: secret } = await get("/_sandbox/account");
  const isGenuine = (body, signature) => createHmac("sha256", secret).update(body).digest("hex") === signature;
  const seen = [];
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray().catch(() => null);
    if (!chunks) return;
    const body = Buffer.concat(chunks);
    const status = await (${answer})(body, request.headers["x-service-signature"]);
    if (status < 300) seen.push(JSON.parse(body));
    response.writeHead(status).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  await post("/v1/webhooks", { url: "http://127.0.0.1:" + server.address().port + "/" });
  const until = async (check) => { for (let i = 0; i < 200; i++) { if (check()) return; await new Promise((go) => setTimeout(go, 20)); } process.exit(1); };`;

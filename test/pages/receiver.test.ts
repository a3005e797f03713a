import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { ref } from "../scenarios/files.js";
import { useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();

test("the built-in receiver accepts genuine deliveries, and refuses forged ones and those of unknown accounts", async () => {
  const account = sandbox.account();
  await account.scenario.load({ name: "A shop", given: { webhooks: [{ url: ref("account.receiver") }] } });
  const listed = await account.control<{ items: { url: string; secret: string }[] }>("GET", "/webhooks");
  const { url = "", secret = "" } = listed.items[0] ?? {};
  const deliver = async (body: string, signature: string, to = url) =>
    (await fetch(to, { method: "POST", body, headers: { "X-Service-Signature": signature } })).status;
  const body = '{"event":"payout.paid"}';
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  expect(await deliver(body, signature)).toBe(204);
  expect(await deliver(`${body} `, signature)).toBe(401);
  expect(await deliver(body, "")).toBe(401);
  const gzip = { method: "POST", body, headers: { "Content-Encoding": "gzip" } };
  expect((await fetch(url, gzip)).status).toBe(415);
  const elsewhere = url.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  expect(await deliver(body, signature, elsewhere)).toBe(401);
});

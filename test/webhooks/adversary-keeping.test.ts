/** Deliveries that rules delay, forge or reorder survive restarts and snapshots. */
import { expect, onTestFinished, test } from "vitest";
import { type SandboxAccount, startSandbox } from "../../src/index.js";
import { openReceiver } from "../support/adversary.js";
import { freshFolder } from "../support/folder.js";
import { expectedSignature, type Receiver, type startReceiver } from "../support/receiver.js";
import { post } from "../support/sandbox.js";

const key = "svc_test_adversary_kept";

/** With a frozen clock: one event delayed, one forged, one held back, and a partly used rule. */
async function prepare(account: SandboxAccount, url: string): Promise<string> {
  await account.clock.freeze("2030-01-01T00:00:00Z");
  const { secret } = (await post(account, "/v1/webhooks", { url })).body;
  await account.rules.add({ on: "payout.failed", webhook: { delay: "20s" } });
  await account.rules.add({ on: "payout.rejected", webhook: { tamper: "signature", delay: "30s" } });
  await account.rules.add({
    on: "webhooks",
    when: { data: { number: 3 } },
    webhook: { reorder: true },
    times: 1,
  });
  await account.rules.add({ on: "refund.failed", webhook: { duplicate: 1 }, times: 1 });
  await account.events.trigger("payout.failed", { number: 1 });
  await account.events.trigger("payout.rejected", { number: 2 });
  await account.events.trigger("payout.paid", { number: 3 });
  return secret;
}

/** Returns the number of each delivered event, with a `!` if the signature is wrong. */
async function goOn(account: SandboxAccount, hook: Receiver, secret: string): Promise<string[]> {
  await account.events.trigger("refund.failed", { number: 4 });
  await account.advance("1h");
  return hook.received.map(({ body, headers }) => {
    const genuine = headers["x-service-signature"] === expectedSignature(body, secret);
    return `${JSON.parse(String(body)).data.number}${genuine ? "" : "!"}`;
  });
}

/** The two copies, then the event that they overtook, then the delayed ones. */
const expected = ["4", "4", "3", "1", "2!", "2"];
/** Refuses the fifth delivery, as a receiver that checks signatures does. */
const refuseForged: Parameters<typeof startReceiver>[0] = (count, response) =>
  response.writeHead(count === 5 ? 401 : 200).end();

test("faults in progress survive a restart", async () => {
  const hook = await openReceiver(refuseForged);
  const options = { data: freshFolder(), validateReplies: true };
  const first = await startSandbox(options);
  const secret = await prepare(first.account({ key }), hook.url);
  const rules = await first.account({ key }).rules.list();
  await first.close();
  expect(hook.received).toEqual([]);

  const second = await startSandbox(options);
  onTestFinished(() => second.close());
  const account = second.account({ key });
  expect(await account.rules.list()).toEqual(rules);
  expect(await goOn(account, hook, secret)).toEqual(expected);
});

test("faults in progress are restored from a snapshot on another account", async () => {
  const hook = await openReceiver(refuseForged);
  const sandbox = await startSandbox({ validateReplies: true });
  onTestFinished(() => sandbox.close());
  const account = sandbox.account();
  const secret = await prepare(account, hook.url);
  const copy = sandbox.account();
  await copy.restore(await account.snapshot());
  expect(await copy.deliveries.list()).toEqual(await account.deliveries.list());
  expect(await goOn(copy, hook, secret)).toEqual(expected);
});

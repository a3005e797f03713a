import { expect, onTestFinished, test } from "vitest";
import type { DeliveryEntry, SandboxAccount } from "../../../src/index.js";
import { freshFolder, startOn } from "../../support/folder.js";
import { openOn } from "../../support/folder-sandbox.js";
import { expectedSignature, type Receiver, startReceiver } from "../../support/receiver.js";
import { post } from "../../support/sandbox.js";
import { copyAsKilled } from "../../support/stores.js";
import { until } from "../../support/until.js";

async function receiverOn(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...args);
  onTestFinished(() => receiver.close());
  return receiver;
}

/** Returns a URL where nothing listens yet, and its port. */
async function closedEndpoint(): Promise<{ url: string; port: number }> {
  const { url, close } = await startReceiver();
  await close();
  return { url, port: Number(new URL(url).port) };
}

async function register(account: SandboxAccount, url: string): Promise<string> {
  return (await post(account, "/v1/webhooks", { url })).body.secret;
}

/** Resolves to the account's only delivery once it has this many attempts. */
const attempted = (account: SandboxAccount, attempts: number): Promise<DeliveryEntry> =>
  until(`${attempts} attempts`, async () => {
    const [delivery] = await account.deliveries.list();
    return delivery && delivery.attempts.length >= attempts && delivery;
  });

test("a delivery continues by itself after a kill and a restart, with the same bytes and a valid signature", async () => {
  const folder = freshFolder();
  const { url, port } = await closedEndpoint();
  const first = await startOn(folder);
  const account = first.account("svc_test_pending");
  const secret = await register(account, url);
  await account.events.trigger("payout.paid");
  const before = await attempted(account, 1);
  expect(before.attempts[0]?.error).toContain("ECONNREFUSED");
  await first.stop("SIGKILL");

  const receiver = await receiverOn(undefined, port);
  const second = await openOn(folder);
  const [received] = await receiver.got(1);
  expect(received?.body.toString()).toBe(before.attempts[0]?.request_body);
  expect(received?.headers["x-service-signature"]).toBe(expectedSignature(received?.body as Buffer, secret));
  const after = await until("the delivery succeeds", async () => {
    const [delivery] = await second.account("svc_test_pending").deliveries.list();
    return delivery?.status === "succeeded" && delivery;
  });
  expect(after.id).toBe(before.id);
  expect(after.attempts.slice(0, before.attempts.length)).toEqual(before.attempts);
});

test("on a frozen clock it waits for an advance and keeps the documented delays", async () => {
  const folder = freshFolder();
  const { url, port } = await closedEndpoint();
  const first = await openOn(folder);
  const frozen = first.account("svc_test_frozen");
  await frozen.clock.freeze("2030-01-01T00:00:00Z");
  await register(frozen, url);
  await frozen.events.trigger("payout.paid");
  await frozen.advance("10s");
  const before = await attempted(frozen, 3);
  const killed = copyAsKilled(folder);

  const receiver = await receiverOn((_count, response) => response.writeHead(500).end(), port);
  const second = await openOn(killed);
  const account = second.account("svc_test_frozen");
  expect(await account.clock.get()).toEqual({
    now: "2030-01-01T00:00:10.000Z",
    mode: "frozen",
    next_due: "2030-01-01T00:00:36.000Z",
    next_job: `payout.paid is sent to 127.0.0.1:${port}, attempt 4.`,
  });
  expect(receiver.received).toHaveLength(0);
  await account.advance("1h");
  const after = await attempted(account, 6);
  expect(after.attempts.map(({ at }) => at.slice(11, 19))).toEqual([
    "00:00:00",
    "00:00:01",
    "00:00:06",
    "00:00:36",
    "00:05:36",
    "00:35:36",
  ]);
  expect(after.status).toBe("failed");
  expect(new Set(receiver.received.map(({ body }) => body.toString()))).toEqual(
    new Set(before.attempts.map(({ request_body }) => request_body)),
  );
});

test("an attempt that was in flight when the process was killed is repeated", async () => {
  const folder = freshFolder();
  const receiver = await receiverOn((count, response) => {
    if (count > 1) response.end();
  });
  const first = await openOn(folder);
  const account = first.account("svc_test_on_the_wire");
  await register(account, receiver.url);
  await account.events.trigger("payout.paid");
  await receiver.got(1);

  await openOn(copyAsKilled(folder));
  const [lost, again] = await receiver.got(2);
  expect(again?.body).toEqual(lost?.body);
  expect(again?.headers["x-service-signature"]).toBe(lost?.headers["x-service-signature"]);
});

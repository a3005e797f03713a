/** Interface: "Each result is also delivered as a verification.completed webhook", and "Delivery payload". */
import { expect, onTestFinished, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { expectedSignature, type Received, type Receiver, startReceiver } from "../../support/receiver.js";
import { post, useListeningSandbox } from "../../support/sandbox.js";
import { far, house, inaccurate, locate, near, started, submit } from "./checks.js";

const sandbox = useListeningSandbox();

interface Listening {
  account: SandboxAccount;
  hook: Receiver;
  secret: string;
}

/** Creates an account with a receiver for its events. */
async function listening(account = sandbox.account()): Promise<Listening> {
  const hook = await startReceiver();
  onTestFinished(() => hook.close());
  const { body } = await post(account, "/v1/webhooks", { url: hook.url, events: ["verification.completed"] });
  return { account, hook, secret: body.secret };
}

const payloadOf = ({ body }: Received) => JSON.parse(String(body));
const formatted = "12 Allen Avenue, Ikeja, Lagos, Nigeria";

/** Returns delivery `count`, counted from 1, and expects it to be the only new one. */
async function delivered({ account, hook }: Listening, count: number): Promise<Received> {
  await hook.got(count);
  await account.advance("1h");
  expect(hook.received).toHaveLength(count);
  return hook.received[count - 1] as Received;
}

test("a result is sent with exactly the documented fields and the right signature", async () => {
  const to = await listening();
  const check = await started(to.account);
  await locate(to.account, check, inaccurate(check));
  const delivery = await delivered(to, 1);
  const { history } = await to.account.records.get(check.id);
  expect(payloadOf(delivery)).toEqual({
    event: "verification.completed",
    job_id: check.id,
    created_at: history.at(-1)?.at,
    data: {
      type: "address",
      status: "review",
      checks: { address_exists: true, location: false, document: false },
      extracted: { address: formatted },
    },
  });
  expect(delivery.headers["x-service-signature"]).toBe(expectedSignature(delivery.body, to.secret));
  expect(delivery.headers["x-service-signature"]).toMatch(/^[0-9a-f]{64}$/);
});

test("the first call sends nothing, whatever it finds", async () => {
  const to = await listening();
  for (const address of [house, "Ikeja", "12 Nowhere Street"]) await started(to.account, { address });
  await to.account.advance("1h");
  expect(to.hook.received).toEqual([]);
  expect(await to.account.events.list()).toEqual([]);
});

test("two submissions send two events in order, each with its own state", async () => {
  const to = await listening();
  const check = await started(to.account);
  await submit(to.account, check);
  const first = payloadOf(await delivered(to, 1));
  await locate(to.account, check, near(check));
  const second = payloadOf(await delivered(to, 2));
  expect([first.job_id, second.job_id]).toEqual([check.id, check.id]);
  expect(first.data).toMatchObject({
    status: "review",
    checks: { address_exists: true, location: false, document: true },
  });
  expect(second.data).toMatchObject({
    status: "verified",
    checks: { address_exists: true, location: true, document: true },
  });
  expect(Date.parse(second.created_at) - Date.parse(first.created_at)).toBeGreaterThanOrEqual(3_600_000);
});

test("a result that does not change the status is sent too", async () => {
  const to = await listening();
  const check = await started(to.account);
  await locate(to.account, check, far(check));
  await delivered(to, 1);
  await locate(to.account, check, far(check));
  const { data } = payloadOf(await delivered(to, 2));
  expect(data.status).toBe("review");
});

test("a failed check is reported as failed, and a part with half its points as not passed", async () => {
  const to = await listening();
  const check = await started(to.account, { address: "Ikeja, Lagos" });
  await submit(to.account, check, "othername.png");
  expect(payloadOf(await delivered(to, 1)).data).toEqual({
    type: "address",
    status: "failed",
    checks: { address_exists: false, location: false, document: false },
    extracted: { address: "Ikeja, Lagos, Nigeria" },
  });
});

test("the extracted data is text, even for an address that is not found", async () => {
  const to = await listening();
  const check = await started(to.account, { address: "10 Downing Street,  London", country: "GB" });
  await submit(to.account, check);
  const { data } = payloadOf(await delivered(to, 1));
  expect(data.extracted).toEqual({ address: "10 Downing Street, London" });
});

test("a live key's results are sent in the same form", async () => {
  const to = await listening(sandbox.account({ mode: "live" }));
  const check = await started(to.account);
  await locate(to.account, check, near(check));
  const payload = payloadOf(await delivered(to, 1));
  expect(Object.keys(payload)).toEqual(["event", "job_id", "created_at", "data"]);
  expect(payload.data.status).toBe("verified");
});

test("a receiver that was down gets the same bytes again", async () => {
  const account = sandbox.account();
  const hook = await startReceiver((count, response) => response.writeHead(count === 1 ? 500 : 200).end());
  onTestFinished(() => hook.close());
  await post(account, "/v1/webhooks", { url: hook.url });
  const check = await started(account);
  await locate(account, check, near(check));
  await hook.got(1);
  await account.advance("1s");
  const [first, second] = await hook.got(2);
  expect(second?.body).toEqual(first?.body);
});

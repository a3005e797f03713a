/** Actions of a customer of the app, and their results. All customers have the same phone, BVN and bank account. */
import { randomUUID } from "node:crypto";
import { expect, onTestFinished } from "vitest";
import { SandboxAccount } from "../../src/client/account/account.js";
import type { OutcomeName } from "../../src/index.js";
import { expectedSignature, startReceiver } from "../support/receiver.js";
import { Service } from "./service.js";

const phone = "+2348031234567";
const lostPhone = "+2348059876543";
const adaeze = ["22301948576", "Adaeze", "Okafor"] as const;

/** An unused key opens a new account. */
export function freshWorld() {
  const url = process.env.STANDIN_URL as string;
  const key = `svc_test_${randomUUID()}`;
  return { app: new Service(url, key), sandbox: new SandboxAccount({ baseUrl: url, key }) };
}

export type World = ReturnType<typeof freshWorld>;

/** Receiver of the app's webhooks. */
export async function listen({ app }: World) {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const secret = await app.registerWebhook(receiver.url);
  return (): { id: string }[] =>
    receiver.received.map(({ body, headers }) => {
      expect(headers["x-service-signature"]).toBe(expectedSignature(body, secret));
      return JSON.parse(body.toString());
    });
}

export async function signIn({ app, sandbox }: World, reference: string): Promise<string> {
  const id = await app.sendPhoneCode(phone, reference);
  const { codes } = await sandbox.inbox.wait({ to: phone });
  expect(await app.checkPhoneCode(id, codes[0] as string)).toMatchObject({ status: "verified", reference });
  return codes[0] as string;
}

/** Five wrong codes lock the id, so the right one is refused. */
export async function lockOut({ app, sandbox }: World, reference: string): Promise<string> {
  const id = await app.sendPhoneCode(lostPhone, reference);
  const { codes } = await sandbox.inbox.wait({ to: lostPhone });
  const right = codes[0] as string;
  const statuses = [];
  for (let i = 0; i < 5; i++) statuses.push((await app.checkPhoneCode(id, "000000")).status);
  expect(statuses).toEqual([...Array(4).fill("pending"), "max_attempts_reached"]);
  expect(await app.checkPhoneCode(id, right)).toMatchObject({ verified: false, reference });
  return right;
}

/** Results that a rule gives the first checks, and their cost in naira: not found, a different name, an outage. */
export const troubles: {
  outcome: OutcomeName | null;
  times: number;
  seen: (boolean | number)[];
  cost: number;
}[] = [
  { outcome: null, times: 0, seen: [], cost: 0 },
  { outcome: "no_match", times: 1, seen: [false], cost: 50 },
  { outcome: "provider_unavailable", times: 2, seen: [503, 503], cost: 0 },
];

export type Trouble = (typeof troubles)[number];

export async function checkIdentity({ app, sandbox }: World, { outcome, times, seen }: Trouble) {
  if (outcome !== null) await sandbox.rules.add({ on: "verifyBvn", outcome, times });
  const results = [];
  for (let i = 0; i <= times; i++)
    results.push(
      await app.verifyBvn(...adaeze).then(
        ({ match }) => match,
        ({ status }) => status,
      ),
    );
  expect(results).toEqual([...seen, true]);
}

export const paidOut = 2_000;

/** Naira; the fee is 1 percent. */
export const transferOf = (customer: number) => ({
  amount: 5_000 * (customer + 1),
  fee: 50 * (customer + 1),
});

/** Receives, settles and pays out a transfer. Returns its events, oldest first, with the ids of their records. */
export async function trade(
  { app, sandbox }: World,
  customer: number,
): Promise<[event: string, id: string][]> {
  const { amount, fee } = transferOf(customer);
  await app.saveProfile(`Shop ${customer}`, phone);
  const number = await app.openAccountNumber(`Customer ${customer}`, "ada@example.com");
  const payment = await app.receiveTransfer(number, amount);
  expect(await app.overview()).toMatchObject({ pending: amount - fee, available: 0, fees_charged: fee });
  await sandbox.advance(`${24 + customer}h`);
  expect(await app.overview()).toMatchObject({ pending: 0, available: amount - fee, fees_charged: fee });
  const payout = await app.payOut("058", "1111111111", paidOut);
  await sandbox.advance(`${1 + customer}m`);
  return [
    ["virtual_account.created", number],
    ["payment.received", payment],
    ["payment.settled", payment],
    ["payout.requested", payout],
    ["payout.paid", payout],
  ];
}

/** Random sessions of an account, whose steps depend only on what they have seen, so that they can be repeated. */
import fc from "fast-check";
import type { SandboxAccount } from "../../src/index.js";
import { ask, operations } from "../contract/alternatives/asking.js";
import { customer, profile } from "../service/business/shop.js";
import { post, type Reply } from "./sandbox.js";

/** Ids that earlier steps have seen. */
export interface Course {
  verification: string;
  number: string;
  payment: string;
  payout: string;
}
export const freshCourse: Course = {
  verification: "phv_0",
  number: "va_0",
  payment: "pay_0",
  payout: "po_0",
};

export type Step = (account: SandboxAccount, course: Course) => Promise<unknown>;

/** A reply as a client sees it. */
const shown = ({ status, headers, body }: Reply) => [status, headers.get("x-request-id"), body];

const business =
  (
    method: string,
    path: string,
    body: (course: Course) => object,
    see?: (reply: Reply, course: Course) => void,
  ): Step =>
  async (account, course) => {
    const { key } = account;
    const reply = await account.fetch(`/v1/business${path}`, {
      method,
      headers: { "X-Service-Key": key, "Content-Type": "application/json" },
      body: JSON.stringify(body(course)),
    });
    const text = JSON.parse(await reply.text());
    const read = { status: reply.status, headers: reply.headers, body: text };
    if (reply.ok) see?.(read, course);
    return shown(read);
  };

/** The calls of a business, from the profile to the payout. */
const money: readonly Step[] = [
  business("PUT", "/profile", () => profile),
  business(
    "POST",
    "/virtual-accounts",
    () => customer,
    ({ body }, course) => {
      course.number = body.id;
    },
  ),
  business(
    "POST",
    "/test/simulate-payment",
    ({ number }) => ({ virtual_account_id: number, amount: 20_000 }),
    ({ body }, course) => {
      course.payment = body.payment_id;
    },
  ),
  business("PUT", "/payout-account", () => ({ bank_code: "058", account_number: "0123456789" })),
  business(
    "POST",
    "/payouts",
    () => ({ amount: 5_000 }),
    ({ body }, course) => {
      course.payout = body.id;
    },
  ),
  business("POST", "/refunds", ({ payment }) => ({ payment_id: payment, amount: 300, reason: "Returned" })),
];

/** A business whose money is available: most draws alone would not get that far. */
const settled: Step = async (account, course) => {
  const replies = [];
  for (const step of money.slice(0, 4)) replies.push(await step(account, course));
  await account.advance("24h");
  return replies;
};

const startPhone: Step = async (account, course) => {
  const reply = await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  if (reply.status === 201) course.verification = reply.body.id;
  return shown(reply);
};

const checkPhone: Step = async (account, { verification }) => {
  const code = (await account.inbox.list())[0]?.codes[0] ?? "000000";
  return shown(await post(account, "/v1/phone/verify/check", { id: verification, code }));
};

const moveByHand =
  (machine: "payout" | "payment", move: string): Step =>
  (account, course) =>
    account.records.move(course[machine], move).catch(({ message }: Error) => message);

/** Steps of every group of operations, uploads included, and of the control API. `receiver` is the URL of one that answers. */
export const steps = (receiver: string): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom(...operations).map(
        (operation): Step =>
          async (account) =>
            shown(await ask(account, operation)),
      ),
    },
    { weight: 3, arbitrary: fc.constantFrom(startPhone, checkPhone) },
    { weight: 4, arbitrary: fc.constantFrom(settled, ...money) },
    fc.constantFrom(
      moveByHand("payout", "reject"),
      moveByHand("payout", "fail"),
      moveByHand("payment", "settle"),
    ),
    fc.constantFrom("0s", "7s", "10m", "2d").map(
      (by): Step =>
        (account) =>
          account.advance(by),
    ),
    fc.constantFrom("2030-07-01T00:00:00Z", "2030-06-01T12:00:00Z").map(
      (at): Step =>
        (account) =>
          account.clock.freeze(at).catch(({ message }: Error) => message),
    ),
    fc.constantFrom(receiver, "http://127.0.0.1:9/").map(
      (url): Step =>
        async (account) =>
          shown(await post(account, "/v1/webhooks", { url })),
    ),
    fc.constantFrom("startPhoneVerification", "createPayout", "*").map(
      (on): Step =>
        (account) =>
          account.rules.add({ on, outcome: "rate_limited", times: 2, probability: 0.5 }),
    ),
    fc.constantFrom("payout.paid", "refund.processed").map(
      (kind): Step =>
        (account) =>
          account.events.trigger(kind),
    ),
    fc.constantFrom({ balance: 12 }, { plan: "growth" as const }, { business_verified: true }).map(
      (change): Step =>
        (account) =>
          account.update(change),
    ),
  );

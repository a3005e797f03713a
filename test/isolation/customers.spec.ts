/** As many customers as CUSTOMERS says, one after another, beside those of other lanes. Each test sees all of its own data and nothing else. */
import { beforeEach, describe, expect, test } from "vitest";
import {
  checkIdentity,
  freshWorld,
  listen,
  lockOut,
  paidOut,
  signIn,
  type Trouble,
  trade,
  transferOf,
  troubles,
  type World,
} from "./customer.js";

declare module "vitest" {
  interface TaskMeta {
    worker?: string;
  }
}

const perLane = Number(process.env.CUSTOMERS);
const first = Number(process.env.LANE) * perLane;
const customers = Array.from({ length: perLane }, (_, i) => first + i);

/** Expects the exact balances of the business and the wallet. */
async function expectMoney({ app }: World, customer: number, checksCost: number) {
  const { amount, fee } = transferOf(customer);
  const left = amount - fee - paidOut;
  const business = { balance: left, available: left, pending: 0, held: 0, fees_charged: fee + 50 };
  expect(await app.overview()).toMatchObject(business);
  expect(await app.walletBalance()).toBe(1_000_000 - 2 * 6 - checksCost);
}

const hour = 3_600_000;
const opening = (customer: number) => Date.UTC(2030, 0, 1) + customer * hour;

async function expectClock({ sandbox }: World, customer: number) {
  const { now } = await sandbox.clock.get();
  expect(Date.parse(now)).toBe(opening(customer) + (24 + customer) * hour + (1 + customer) * 60_000);
}

/** Expects the events, and the webhooks that the app received. */
async function expectEvents({ sandbox }: World, events: [string, string][], payloads: { id: string }[]) {
  const happened = (await sandbox.events.list()).reverse();
  expect(happened.map(({ event, data }) => [event, data.id])).toEqual(events);
  expect(payloads).toHaveLength(events.length);
  for (const { id, event, data } of happened)
    expect(payloads.find((payload) => payload.id === id)).toMatchObject({ event, data });
}

async function expectRequests({ sandbox }: World, checks: number) {
  const operations = (await sandbox.requests.list()).map(({ operation }) => operation);
  expect(operations.reverse()).toEqual([
    "registerWebhook",
    "startPhoneVerification",
    "checkPhoneVerification",
    "startPhoneVerification",
    ...Array(6).fill("checkPhoneVerification"),
    ...Array(checks).fill("verifyBvn"),
    "saveBusinessProfile",
    "createVirtualAccount",
    "simulatePayment",
    "getBusinessOverview",
    "getBusinessOverview",
    "setPayoutAccount",
    "createPayout",
    "getBusinessOverview",
    "getBalance",
  ]);
}

beforeEach(({ task }) => {
  task.meta.worker = String(process.env.VITEST_POOL_ID);
});

describe("a customer", () => {
  test.each(customers)("number %i sees only their own data", async (customer) => {
    const world = freshWorld();
    const { sandbox } = world;
    const trouble = troubles[customer % troubles.length] as Trouble;
    await sandbox.clock.freeze(new Date(opening(customer)).toISOString());
    const payloads = await listen(world);

    const codes = [await signIn(world, `in-${customer}`), await lockOut(world, `out-${customer}`)];
    await checkIdentity(world, trouble);
    const events = await trade(world, customer);

    await expectMoney(world, customer, trouble.cost + 50);
    await expectClock(world, customer);
    await expectEvents(world, events, payloads());
    await expectRequests(world, trouble.times + 1);
    expect((await sandbox.inbox.list()).flatMap(({ codes }) => codes).reverse()).toEqual(codes);
    const rules = trouble.outcome === null ? [] : [{ outcome: trouble.outcome, used: trouble.times }];
    expect(await sandbox.rules.list()).toMatchObject(rules);
  });
});

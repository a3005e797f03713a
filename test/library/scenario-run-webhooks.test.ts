/** Steps that receive webhooks and wait for events. */
import { afterEach, describe, expect, test } from "vitest";
import { ref } from "../scenarios/files.js";
import { useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();
afterEach(() => expect(sandbox.warnings).toEqual([]));

const trigger = (event: string, data: object) => ({ control: "POST /events", body: { event, data } });

async function walk(steps: object[], given: object = {}) {
  const account = sandbox.account();
  const result = await account.scenario.run({ name: "A walk", given, steps });
  return { account, ...result, problems: result.steps.flatMap(({ problems }) => problems) };
}

const clocks: [string, object][] = [
  ["runs", {}],
  ["stands", { clock: "2026-03-01T09:00:00Z" }],
];

describe.each(clocks)("while the clock %s", (_how, given) => {
  test("a webhook step sees the deliveries, and the signed request to the scenario's receiver", async () => {
    const { problems } = await walk(
      [
        { receive: {}, as: "endpoint" },
        trigger("payout.paid", { amount: 7 }),
        {
          webhook: "payout.paid",
          as: "paid",
          expect: {
            data: { amount: 7 },
            deliveries: [
              { status: "succeeded", endpoint_id: ref("endpoint.id"), attempts: [{ status: 204 }] },
            ],
            received: [{ signed: true, body: { event: "payout.paid", data: { amount: 7 } } }],
          },
        },
        { control: "GET /events", expect: { items: [{ id: ref("paid.id") }] } },
      ],
      given,
    );
    expect(problems).toEqual([]);
  });

  test("events of one kind are returned in order, independently of other kinds", async () => {
    const { problems } = await walk(
      [
        { receive: {} },
        trigger("payout.paid", { n: 1 }),
        trigger("payout.failed", { n: 2 }),
        trigger("payout.paid", { n: 3 }),
        { webhook: "payout.paid", expect: { data: { n: 1 }, received: [{ body: { data: { n: 1 } } }] } },
        { webhook: "payout.paid", expect: { data: { n: 3 }, received: [{ body: { data: { n: 3 } } }] } },
        { webhook: "payout.failed", expect: { data: { n: 2 }, received: [{ signed: true }] } },
      ],
      given,
    );
    expect(problems).toEqual([]);
  });

  test("an event with different data fails at once and names the differences", async () => {
    const { problems, duration_ms } = await walk(
      [trigger("payout.paid", { amount: 7 }), { webhook: "payout.paid", expect: { data: { amount: 8 } } }],
      given,
    );
    expect(problems).toEqual(["data.amount should be 8 and is 7"]);
    expect(duration_ms).toBeLessThan(4_000);
  });
});

test("two events of the same bytes have one request each", async () => {
  const located = {
    call: `POST /v1/verify/address/${ref("address.id")}/location`,
    body: { latitude: 6.6, longitude: 3.35, accuracy_m: 20 },
  };
  const completed = { webhook: "verification.completed", expect: { received: [{ signed: true }] } };
  const address = { address: "12 Allen Avenue, Ikeja, Lagos", full_name: "Adaeze Okafor", country: "NG" };
  const { problems } = await walk(
    [
      { receive: {} },
      { call: "POST /v1/verify/address", body: address, as: "address" },
      located,
      located,
      completed,
      completed,
    ],
    { clock: "2026-03-01T09:00:00Z" },
  );
  expect(problems).toEqual([]);
});

test("a receiver sends its answers in order and repeats the last one; retries follow as the clock advances", async () => {
  const { problems } = await walk(
    [
      { receive: { answers: [500, 503, 200] } },
      trigger("payout.paid", {}),
      { advance: "10s" },
      {
        webhook: "payout.paid",
        expect: {
          deliveries: [
            { status: "succeeded", attempts: [{ status: 500 }, { status: 503 }, { status: 200 }] },
          ],
          received: [{ signed: true }, { signed: true }, { signed: true }],
        },
      },
    ],
    { clock: "2026-03-01T09:00:00Z" },
  );
  expect(problems).toEqual([]);
});

test("a receiver gets the events that it subscribed to, and so does a second one", async () => {
  const { problems } = await walk(
    [
      { receive: { events: ["payout.failed"] } },
      { receive: {} },
      trigger("payout.paid", {}),
      { webhook: "payout.paid", expect: { received: [{ signed: true }] } },
      trigger("payout.failed", {}),
      { webhook: "payout.failed", expect: { received: [{ signed: true }, { signed: true }] } },
    ],
    { clock: "2026-03-01T09:00:00Z" },
  );
  expect(problems).toEqual([]);
});

test("an unsigned delivery is recognised", async () => {
  const account = sandbox.account();
  const result = await account.scenario.run({
    name: "Forged",
    rules: [{ on: "payout.paid", webhook: { tamper: "unsigned" } }],
    given: { clock: "2026-03-01T09:00:00Z" },
    steps: [
      { receive: {} },
      trigger("payout.paid", {}),
      { webhook: "payout.paid", expect: { received: [{ signed: false }] } },
    ],
  });
  expect(result.steps.flatMap(({ problems }) => problems)).toEqual([]);
});

test("a run removes the endpoints that it registered and keeps the others", async () => {
  const account = sandbox.account();
  await account.scenario.run({
    name: "Open",
    given: { webhooks: [{ url: "http://127.0.0.1:9/own" }] },
    steps: [{ receive: {} }, { receive: {} }],
  });
  expect((await account.webhooks.list()).map(({ url }) => url)).toEqual(["http://127.0.0.1:9/own"]);
});

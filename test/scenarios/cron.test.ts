/** Recurring entries over months and years, on the account's clock. */
import { describe, expect, onTestFinished, test } from "vitest";
import { cronProblem, loadCron, toSchedule } from "../../src/scenarios/timeline-entry.js";
import { startReceiver } from "../support/receiver.js";
import { call, post, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();
const trigger = { do: "trigger_event", with: { event: "payout.paid" } };

test.each<[string, string, string[]]>([
  ["*/5 * * * *", "2026-03-01T00:00:00Z", ["2026-03-01T00:05", "2026-03-01T00:10", "2026-03-01T00:15"]],
  ["*/7 * * * *", "2026-03-01T00:50:00Z", ["2026-03-01T00:56", "2026-03-01T01:00", "2026-03-01T01:07"]],
  ["0 9,17 * * *", "2026-03-01T09:00:00Z", ["2026-03-01T17:00", "2026-03-02T09:00", "2026-03-02T17:00"]],
  [
    "30 8-10 * * MON-FRI",
    "2026-03-06T09:00:00Z",
    ["2026-03-06T09:30", "2026-03-06T10:30", "2026-03-09T08:30"],
  ],
  ["0 0 1 jan,jul *", "2026-03-01T00:00:00Z", ["2026-07-01T00:00", "2027-01-01T00:00", "2027-07-01T00:00"]],
  ["0 0 L * *", "2028-01-31T00:00:00Z", ["2028-02-29T00:00", "2028-03-31T00:00", "2028-04-30T00:00"]],
  ["0 0 31 * *", "2026-01-31T00:00:00Z", ["2026-03-31T00:00", "2026-05-31T00:00", "2026-07-31T00:00"]],
  ["0 0 29 2 *", "2026-03-01T00:00:00Z", ["2028-02-29T00:00", "2032-02-29T00:00", "2036-02-29T00:00"]],
  ["0 0 29 2 1", "2026-03-01T00:00:00Z", ["2044-02-29T00:00", "2072-02-29T00:00", "2112-02-29T00:00"]],
  ["0 12 * * 7", "2026-03-01T12:00:00Z", ["2026-03-08T12:00", "2026-03-15T12:00", "2026-03-22T12:00"]],
  ["0 0 * * 5#2", "2026-03-01T00:00:00Z", ["2026-03-13T00:00", "2026-04-10T00:00", "2026-05-08T00:00"]],
  [
    "15,45 * * * * *",
    "2026-03-01T00:00:20Z",
    ["2026-03-01T00:00:45", "2026-03-01T00:01:15", "2026-03-01T00:01:45"],
  ],
])("%s after %s is due at %j", async (expression, after, due) => {
  const reader = await loadCron();
  expect(cronProblem(reader, expression)).toBeNull();
  const schedule = toSchedule(reader, expression);
  let at: number | null = Date.parse(after);
  for (const expected of due) {
    at = schedule.next(at as number);
    expect(new Date(at as number).toISOString().slice(0, expected.length)).toBe(expected);
  }
});

describe("advances quickly through", () => {
  test("all retries, 36 minutes long", async () => {
    const account = sandbox.account();
    const receiver = await startReceiver((_count, response) => {
      response.statusCode = 500;
      response.end();
    });
    onTestFinished(() => receiver.close());
    await account.clock.freeze("2026-03-01T00:00:00Z");
    await post(account, "/v1/webhooks", { url: receiver.url });
    await account.events.trigger("payout.paid");
    await account.advance("36m");
    const [delivery] = await account.deliveries.list();
    expect(delivery).toMatchObject({ status: "failed" });
    expect(delivery?.attempts.map(({ at }) => at.slice(11, 19))).toEqual([
      "00:00:00",
      "00:00:01",
      "00:00:06",
      "00:00:36",
      "00:05:36",
      "00:35:36",
    ]);
  });

  test("the settlement of a payment, after 24 hours", async () => {
    const account = sandbox.account();
    const given = { clock: "2026-03-01T00:00:00Z", payments: [{ amount: 10_000 }] };
    await account.scenario.load({ name: "Settlement", given });
    const available = async () => (await call(account, "GET", "/v1/business/overview")).body.available;
    await account.advance("23h59m59s");
    expect(await available()).toBe(0);
    await account.advance("1s");
    expect(await available()).toBeGreaterThan(9_000);
  });

  test("a year of the first of each month", async () => {
    const account = sandbox.account();
    const timeline = [{ cron: "0 9 1 * *", ...trigger }];
    await account.scenario.load({ name: "Monthly", given: { clock: "2026-03-01T09:00:00Z" }, timeline });
    const { ran } = await account.advance("365d");
    expect(ran.map(({ at }) => at.slice(0, 13))).toEqual(
      ["2026-04", "2026-05", "2026-06", "2026-07", "2026-08", "2026-09", "2026-10", "2026-11", "2026-12"]
        .concat(["2027-01", "2027-02", "2027-03"])
        .map((month) => `${month}-01T09`),
    );
  });

  test("two days of every five minutes, into the next month, each at its own time", async () => {
    const account = sandbox.account();
    const timeline = [{ cron: "*/5 * * * *", ...trigger }];
    await account.scenario.load({ name: "Busy", given: { clock: "2026-02-27T00:00:00Z" }, timeline });
    const { ran } = await account.advance("48h");
    expect(ran).toHaveLength(2 * 24 * 12);
    expect(new Set(ran.map(({ at }) => at)).size).toBe(ran.length);
    expect(ran.at(-1)?.at).toBe("2026-03-01T00:00:00.000Z");
  });
});

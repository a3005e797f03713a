/** A service that deviates in one thing is named in one finding, and one that does not deviate in none. */
import { describe, expect, test } from "vitest";
import { type Group, groups } from "../../src/drift/groups.js";
import { planDrift } from "../../src/drift/plan-drift.js";
import type { DriftReport } from "../../src/drift/run-drift.js";
import type { SandboxAccount } from "../../src/index.js";
import { openShop } from "../service/business/shop.js";
import { isLong, repetitions, shareOf } from "../support/repetitions.js";
import { post, useListeningSandbox } from "../support/sandbox.js";
import { front } from "./deviating-service.js";
import { oneDeviation } from "./one-deviation.js";
import { planAll, runPlan } from "./own-sandbox.js";
import { everything, limits, payOutMoney } from "./second-sandbox.js";

const sandbox = useListeningSandbox();
const scenarios = await planAll();

async function run(
  account: SandboxAccount,
  only: typeof everything.only,
  baseUrl?: string,
): Promise<DriftReport> {
  const plan = planDrift({ ...limits, means: { ...everything, only, slow: false }, scenarios, all: false });
  return runPlan(plan, account, { baseUrl });
}

/** Returns everything that a run has found, each with what it names. */
const foundIn = ({ assumptions, findings, operations }: DriftReport): string[] => [
  ...assumptions
    .filter(({ verdict }) => verdict === "contradicted" || verdict === "neither")
    .map(({ assumption, flag }) => `${assumption} ${flag ?? ""}`),
  ...findings.map(({ check, problem }) => `${check} ${problem}`),
  ...operations.flatMap(({ operation, findings: own }) =>
    own.map(({ at, problem }) => `${operation} ${at} ${problem}`),
  ),
];

test("at least 60 deviations are tried", () => {
  expect(oneDeviation.length).toBeGreaterThanOrEqual(60);
});

describe("one deviation, one finding", () => {
  test.each(shareOf(oneDeviation, 4, 0))("$title", async ({ only, route, deviate, intercept, named }) => {
    const baseUrl = await front(sandbox.url, route, deviate?.() ?? (() => {}), await intercept?.());
    const found = foundIn(await run(sandbox.account(), only, baseUrl));
    expect(found).toEqual([expect.stringMatching(new RegExp(`^${named.replaceAll(".", "\\.")} `))]);
  });
});

/** A service that is right. */
interface Undeviating {
  readonly title: string;
  /** Groups that short runs ask. Default: a third of all groups. */
  readonly only?: readonly Group[];
  /** Makes the records that the account has before the run. */
  prepare?(account: SandboxAccount): Promise<unknown>;
  /** Returns the address of the service. Default: that of the sandbox. */
  serve?(): Promise<string>;
}

const aboutMoney = ["general", "business"] as const;

const undeviating: readonly Undeviating[] = [
  {
    title: "that is slow",
    serve: () =>
      front(sandbox.url, /./, async () => {
        for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
      }),
  },
  { title: "with records in its lists", prepare: payOutMoney },
  {
    title: "with a clock that is 90 s off",
    prepare: (account) => account.advance("90s"),
  },
  {
    title: "whose account has money that was settled before",
    only: aboutMoney,
    prepare: async (account) => (await openShop(account)).settledTransfer(250_000),
  },
  {
    title: "whose account may receive no more",
    only: aboutMoney,
    prepare: async (account) => (await openShop(account)).transfer(4_999_900),
  },
  {
    title: "whose account has a verified business and more than a run pays out",
    only: aboutMoney,
    async prepare(account) {
      const shop = await openShop(account);
      await shop.verify();
      await shop.settledTransfer(12_000_000);
    },
  },
  {
    title: "that was asked a day before",
    only: aboutMoney,
    async prepare(account) {
      await run(account, isLong ? groups : aboutMoney);
      await account.advance("25h");
    },
  },
  { title: "whose account has a month of records", only: [...aboutMoney, "phone"], prepare: useForAMonth },
];

/** Receives, pays out, refunds, sends codes and looks people up every day. */
async function useForAMonth(account: SandboxAccount): Promise<void> {
  const shop = await openShop(account);
  await shop.setPayoutAccount();
  for (let today = 1; today <= 30; today++) {
    const payment = await shop.settledTransfer(90_000 + today / 100);
    if (today % 3 === 0) await shop.refund(payment, 1_500);
    if (today % 7 === 0) await shop.payout(150_000);
    await shop.cardPayment(4_200);
    await post(account, "/v1/phone/verify/start", { phone: "08031234567", reference: `order-${today}` });
    await post(account, "/v1/verify/bvn", { bvn: "22301948576" });
    await post(account, "/v1/media-scan/text", { text: "A text that somebody wrote. ".repeat(40) });
  }
}

/** Each kind at least once; in long runs, 20 accounts that ask about all groups. */
const tries = Array.from({ length: repetitions(undeviating.length, 20) }, (_, turn) => ({
  turn,
  ...(undeviating[turn % undeviating.length] as Undeviating),
}));

describe("a service that is right is not reported", () => {
  test.each(tries)("one $title ($turn)", async ({ turn, only, prepare, serve }) => {
    const account = sandbox.account();
    await prepare?.(account);
    const asked = only && !isLong ? only : shareOf(groups, 3, turn);
    const report = await run(account, asked, await serve?.());
    expect(foundIn(report)).toEqual([]);
    expect(report.checks.filter(({ verdict }) => verdict === "could not check")).toEqual([]);
  });
});

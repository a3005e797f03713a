/** A service that deviates in one thing is named in one finding, and one that does not deviate in none. */
import { describe, expect, test } from "vitest";
import { groups } from "../../src/drift/groups.js";
import { planDrift } from "../../src/drift/plan-drift.js";
import { type DriftReport, runDrift } from "../../src/drift/run-drift.js";
import type { SandboxAccount } from "../../src/index.js";
import { repetitions, shareOf } from "../support/repetitions.js";
import { useListeningSandbox } from "../support/sandbox.js";
import { front } from "./deviating-service.js";
import { oneDeviation } from "./one-deviation.js";
import { planAll, startOurs } from "./own-sandbox.js";
import { defaults, everything, limits, meansFor, payOutMoney } from "./second-sandbox.js";

const sandbox = useListeningSandbox();
const scenarios = await planAll();

async function run(
  account: SandboxAccount,
  only: typeof everything.only,
  baseUrl?: string,
): Promise<DriftReport> {
  const plan = planDrift({ ...limits, means: { ...everything, only, slow: false }, scenarios, all: false });
  const means = await meansFor(account, baseUrl);
  try {
    return await runDrift({ plan, inForce: defaults, means, prefix: "standin-drift-test", at: 0, startOurs });
  } finally {
    await means.receiver.close();
  }
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

/** Kinds of services that do not deviate, with how their accounts are made. */
const undeviating: [title: string, prepare: (account: SandboxAccount) => Promise<string | undefined>][] = [
  [
    "slow",
    async () =>
      front(sandbox.url, /./, async () => {
        for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
      }),
  ],
  [
    "with records in its lists",
    async (account) => {
      await payOutMoney(account);
      return undefined;
    },
  ],
  [
    "with a clock that is 90 s off",
    async (account) => {
      await account.advance("90s");
      return undefined;
    },
  ],
];

/** Each kind at least once; in long runs, 20 accounts that ask about all groups. */
const tries = Array.from({ length: repetitions(undeviating.length, 20) }, (_, turn) => {
  const [title, prepare] = undeviating[turn % undeviating.length] as (typeof undeviating)[number];
  return { turn, title, prepare };
});

describe("no deviation, no finding", () => {
  test.each(tries)("a service $title ($turn)", async ({ turn, prepare }) => {
    const account = sandbox.account();
    const baseUrl = await prepare(account);
    const report = await run(account, shareOf(groups, 3, turn), baseUrl);
    expect(foundIn(report)).toEqual([]);
    expect(report.checks.filter(({ verdict }) => verdict === "could not check")).toEqual([]);
  });
});

/** Which disturbances share a run, and on which account each happens. */
import { expect, test } from "vitest";
import { distribute, nextBundles } from "../../src/exam/bundle.js";
import { Calls, Observation } from "../../src/exam/observation.js";
import type { ExamClass, Perturbation } from "../../src/exam/perturbation.js";

const calls = (callers: number[]): Calls =>
  Object.assign(new Calls(), { callers: new Map(callers.map((caller) => [caller, 1])) });

/** Three accounts, of which each has called both operations. */
const baseline = Object.assign(new Observation(), {
  accounts: 3,
  operations: new Map([
    ["createPayout", calls([0, 1, 2])],
    ["listPayments", calls([0, 1, 2])],
  ]),
});

const perturbation = (of: ExamClass, on: string, name: string, rule = {}): Perturbation => ({
  id: `${of}/${on}/${name}`,
  class: of,
  subject: on,
  title: "",
  right: "",
  rules: [{ on, ...rule }],
});

test("what must be survived is alone on its account, also if it concerns another operation", () => {
  const all = ["createPayout", "listPayments"].flatMap((on) =>
    ["reset", "truncated"].map((name) => perturbation("survived", on, name)),
  );
  const [bundle = [], next = []] = nextBundles(all, new Map(), baseline, 2);
  expect([bundle.length, next.length]).toEqual([3, 1]);
  const byAccount = [0, 1, 2].map((opened) => distribute(bundle, opened, baseline, () => false));
  expect(byAccount.map(({ length }) => length)).toEqual([1, 1, 1]);
  expect(new Set(byAccount.flat()).size).toBe(3);
});

test("what changes the order of webhooks shares its run with nothing that would change it back", () => {
  const late = perturbation("absorbed", "payout.paid", "late", { webhook: { delay: "1s" } });
  const overtaken = perturbation("absorbed", "payout.requested", "out-of-order", {
    webhook: { reorder: true },
  });
  const twice = ["payout.paid", "payout.requested"].map((on) =>
    perturbation("absorbed", on, "twice", { webhook: { duplicate: 1 } }),
  );
  expect(nextBundles([late, overtaken, ...twice], new Map(), baseline, 4)).toEqual([
    [late],
    [overtaken],
    twice,
  ]);
});

test("a reply is lost on an account whose request takes effect", () => {
  const lost = ["reset_after", "truncated"].map((reply) =>
    perturbation("survived", "createPayout", reply, { fault: { reply } }),
  );
  const payouts = Object.assign(calls([0, 1, 2]), { effective: new Set([2]) });
  const partly = Object.assign(new Observation(), {
    accounts: 3,
    operations: new Map([["createPayout", payouts]]),
  });
  expect(nextBundles(lost, new Map(), partly, 2)).toEqual([[lost[0]], [lost[1]]]);
  const read = perturbation("survived", "listPayments", "reset", { fault: { error: "internal_error" } });
  partly.operations.set("listPayments", calls([0, 1, 2]));
  const together = [lost[0] as Perturbation, read];
  expect(nextBundles(together, new Map(), partly, 1)).toEqual([together]);
  const byAccount = [0, 1, 2].map((opened) => distribute(together, opened, partly, () => false));
  expect(byAccount).toEqual([[read], [], [lost[0]]]);
});

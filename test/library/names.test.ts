import { expect, test } from "vitest";
import { commonOutcomes } from "../../src/contract/decision.js";
import { eventKinds } from "../../src/contract/events.js";
import { errorCodesOf } from "../../src/contract/refusals.js";
import * as names from "../../src/library/names.js";
import { serviceOperations } from "../../src/service/index.js";

test("the library's types know every operation with its outcomes, and no other", () => {
  const service = serviceOperations.map(({ id, outcomes }) => [id, Object.keys(outcomes)]);
  expect(names.outcomesOf).toEqual(Object.fromEntries(service));
  expect(names.commonOutcomes).toEqual(Object.keys(commonOutcomes));
});

test("they know every code with which an operation may refuse, and no other", () => {
  const codes = serviceOperations.flatMap((operation) => errorCodesOf(operation, { serviceOnly: true }));
  expect([...names.errorCodes].sort()).toEqual([...new Set(codes)].sort());
});

test("they know every kind of event, and no other", () => {
  expect(names.eventKinds).toEqual(eventKinds);
});

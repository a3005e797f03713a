import { expect, test } from "vitest";
import { Calls, Observation } from "../../src/exam/observation.js";
import { planExam } from "../../src/exam/plan/plan.js";
import { faultProblem } from "../../src/rules/faults.js";
import { serviceOperations } from "../../src/service/index.js";

const calledOnce = (): Calls =>
  Object.assign(new Calls(), { callers: new Map([[0, 1]]), effects: new Map([[0, 1]]) });

test("an exam disturbs operations only with replies that they can have, so that its scenarios can be played", () => {
  const operations = new Map(serviceOperations.map(({ id }) => [id, calledOnce()]));
  const baseline = Object.assign(new Observation(), { operations });
  const planned = planExam(baseline, serviceOperations).flatMap(({ rules }) => rules);
  const faults = planned.flatMap(({ on, fault }) => (fault ? [{ on, fault }] : []));
  expect(faults.length).toBeGreaterThan(500);
  const impossible = faults.flatMap(({ on, fault }) => {
    const problem = faultProblem(
      fault,
      serviceOperations.filter(({ id }) => id === on),
    );
    return problem ? [[on, fault.error, problem.message]] : [];
  });
  expect(impossible).toEqual([]);
});

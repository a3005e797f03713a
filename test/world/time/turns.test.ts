/** Long work is divided into turns of the event loop. The tests count work, not time. */
import { expect, onTestFinished, test } from "vitest";
import { inTurns, maxStepsPerTurn } from "../../../src/time/turns.js";
import { accountId } from "../../../src/world/account/account-id.js";
import type { JobHandler } from "../../../src/world/account/run-job.js";
import { memoryStore } from "../../../src/world/store/open-store.js";
import { World } from "../../../src/world/world.js";
import { maxPerTurn } from "../../support/turns.js";

const jobs = 1_000;

/** Creates a world that counts jobs, and an account with many jobs that are due in an hour. */
async function countedJobs() {
  let ran = 0;
  const count: JobHandler = () => {
    ran++;
    return null;
  };
  const baseUrl = () => "http://localhost";
  const jobKinds = { count: { says: () => "A job is counted.", run: count } };
  const options = { store: memoryStore, seed: "s", machines: [], jobs: jobKinds, baseUrl, warn() {} };
  const world = new World(options);
  onTestFinished(() => world.close());
  const account = await world.open(accountId("svc_test_busy"));
  const due = account.clock.now() + 3_600_000;
  account.commit("api", () => {
    for (let i = 0; i < jobs; i++) account.jobs.schedule(`job ${i}`, { due, kind: "count" });
  });
  return { world, account, due, ran: () => ran };
}

test("an advance runs a limited number of jobs per turn", async () => {
  const { world, account, due, ran } = await countedJobs();
  expect(await maxPerTurn(ran, () => world.scheduler.advance(account, due))).toBeLessThanOrEqual(
    maxStepsPerTurn,
  );
  expect(ran()).toBe(jobs);
});

test("so does an account with overdue jobs, and requests to it wait until all have run", async () => {
  const { world, account, due, ran } = await countedJobs();
  account.commit("api", () => account.setClock({ offset: due - Date.now(), frozen_at: null }));
  const work = () => world.scheduler.runDue(account);
  expect(await maxPerTurn(ran, work)).toBeLessThanOrEqual(maxStepsPerTurn);
  expect(ran()).toBe(jobs);
});

test("the steps of a generator take several turns if there are many, and none if there are few", async () => {
  let taken = 0;
  function* items(count: number) {
    for (let i = 0; i < count; i++) yield taken++;
    return count;
  }
  expect(
    await maxPerTurn(
      () => taken,
      () => inTurns(items(1_000)),
    ),
  ).toBeLessThanOrEqual(maxStepsPerTurn);
  expect(await inTurns(items(1_000))).toBe(1_000);
  expect(inTurns(items(3))).toBe(3);
});

test("a failure in a later turn rejects", async () => {
  const failing = inTurns(
    (function* () {
      for (let i = 0; i < 2 * maxStepsPerTurn; i++) yield;
      throw new Error("late");
    })(),
  );
  await expect(failing).rejects.toThrow("late");
});

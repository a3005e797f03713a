import { expect, onTestFinished, test } from "vitest";
import { day, second } from "../../../src/time/time.js";
import { accountId } from "../../../src/world/account/account-id.js";
import { maxJobsPerAdvance, TooMuchDue } from "../../../src/world/account/advance.js";
import type { JobHandler } from "../../../src/world/account/run-job.js";
import { memoryStore } from "../../../src/world/store/open-store.js";
import { World } from "../../../src/world/world.js";

/** A job that is due again a second later, forever. */
const tick: JobHandler = (account, job) => () => {
  account.jobs.schedule("tick", { ...job, due: job.due + second });
  return null;
};

test("an advance over endless jobs stops at a limit, and another continues from there", async () => {
  const baseUrl = () => "http://localhost";
  const world = new World({
    store: memoryStore,
    seed: "s",
    machines: [],
    jobs: { tick: { says: () => "A tick.", run: tick } },
    baseUrl,
    warn() {},
  });
  onTestFinished(() => world.close());
  const account = await world.open(accountId("svc_test_ticking"));
  account.commit("control", () => {
    account.setClock({ offset: 0, frozen_at: 0 });
    account.jobs.schedule("tick", { due: second, kind: "tick" });
  });
  await expect(world.scheduler.advance(account, 3650 * day)).rejects.toBeInstanceOf(TooMuchDue);
  expect([account.clock.now(), account.clock.frozen]).toEqual([maxJobsPerAdvance * second, true]);
  expect(await world.scheduler.advance(account, account.clock.now() + 5 * second)).toHaveLength(5);
});

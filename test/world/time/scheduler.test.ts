import { expect, test } from "vitest";
import { afterTick, delay } from "../../../src/time/time.js";
import type { JobHandler } from "../../../src/world/account/run-job.js";
import { freshFolder } from "../../support/folder.js";
import { until } from "../../support/until.js";
import { openWorld } from "../../support/world.js";

const key = "svc_test_scheduled";

/** A job that completes at once, and the list of completed jobs. */
function bell(): { rung: string[]; ring: JobHandler } {
  const rung: string[] = [];
  return {
    rung,
    ring: (_account, { kind }) => {
      rung.push(kind);
      return null;
    },
  };
}

test("a closed world runs no jobs, and the next one runs those that are due", async () => {
  for (let ticks = 0; ticks < 12; ticks++) {
    const folder = freshFolder();
    const first = openWorld(folder);
    const before = await first.account(key);
    const due = before.clock.now();
    before.commit("api", () => before.jobs.schedule("bell", { due, kind: "bell" }));
    await first.close();

    const [early, late] = [bell(), bell()];
    let closed = false;
    const ring: JobHandler = (...job) => (closed ? late : early).ring(...job);
    const second = openWorld(folder, { bell: ring });
    for (let i = 0; i < ticks; i++) await new Promise<void>(afterTick);
    await second.close();
    closed = true;
    const next = bell();
    openWorld(folder, { bell: next.ring });
    if (early.rung.length === 0) await until("the bell rings in the next world", () => next.rung.length > 0);
    expect([...early.rung, ...next.rung, late.rung.length]).toEqual(["bell", 0]);
  }
});

test("the process is idle while an advance waits for an endpoint and other jobs become due in real time", async () => {
  const { world, account } = openWorld(freshFolder(), {
    slow: async () => {
      await delay(400);
      return null;
    },
    ring: bell().ring,
  });
  const opened = await account(key);
  const now = opened.clock.now();
  opened.commit("api", () => {
    opened.jobs.schedule("hangs", { due: now + 10, kind: "slow" });
    opened.jobs.schedule("waits", { due: now + 50, kind: "ring" });
  });
  const before = performance.eventLoopUtilization();
  const ran = await world.scheduler.advance(opened, now + 1_000);
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  expect(ran).toHaveLength(2);
});

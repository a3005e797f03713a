import { describe, expect, test, vi } from "vitest";
import { inTurns } from "../../../src/time/turns.js";
import { type Job, Jobs, storedJobs } from "../../../src/world/jobs/jobs.js";
import { changedIds, undoAll } from "../../../src/world/store/rows.js";
import { State } from "../../../src/world/store/state.js";
import { documentOf } from "../../support/state.js";

function emptyJobs() {
  const state = new State();
  const jobs = new Jobs(state, () => "req_1");
  return {
    state,
    jobs,
    commit(run: () => void) {
      state.begin();
      run();
      state.end();
    },
    /** Takes and finishes all jobs, as the scheduler does, and returns their ids in order. */
    drain(): string[] {
      const ids: string[] = [];
      for (let next = jobs.next(); next; next = jobs.next()) {
        const { id, job } = next;
        jobs.take();
        ids.push(id);
        state.begin();
        jobs.finish(id, job);
        state.end();
      }
      return ids;
    },
  };
}

describe("jobs", () => {
  test("run in order of due time, and of creation at the same instant", () => {
    const { jobs, commit, drain } = emptyJobs();
    commit(() => {
      for (const [id, due] of Object.entries({ late: 9, first: 1, second: 1, soon: 5 }))
        jobs.schedule(id, { due, kind: "k" });
    });
    expect(drain()).toEqual(["first", "second", "soon", "late"]);
  });

  test("have unique ids: the last schedule replaces earlier ones, at an earlier, later or the same instant", () => {
    for (const again of [1, 5, 9]) {
      const { jobs, commit, drain } = emptyJobs();
      commit(() => jobs.schedule("job", { due: 5, kind: "k" }));
      commit(() => jobs.schedule("job", { due: again, kind: "k" }));
      expect(jobs.next()?.job.due).toBe(again);
      expect(drain()).toEqual(["job"]);
    }
  });

  test("that are running are not started again, however often they were scheduled", () => {
    const { jobs, commit } = emptyJobs();
    for (let i = 0; i < 3; i++) commit(() => jobs.schedule("job", { due: 5, kind: "k" }));
    expect(jobs.next()?.id).toBe("job");
    jobs.take();
    expect(jobs.next()).toBeNull();
    commit(() => jobs.schedule("job", { due: 5, kind: "again" }));
    expect(jobs.next()?.job.kind).toBe("again");
  });

  test("that were cancelled or replaced while running have nothing to finish", () => {
    const { jobs, commit, drain } = emptyJobs();
    const finish = (change: () => void): boolean => {
      let finished = true;
      commit(() => jobs.schedule("job", { due: 5, kind: "k" }));
      const { job } = jobs.next() as { job: Job };
      jobs.take();
      commit(change);
      commit(() => {
        finished = jobs.finish("job", job);
      });
      return finished;
    };
    expect(finish(() => {})).toBe(true);
    expect(finish(() => jobs.cancel("job"))).toBe(false);
    expect(drain()).toEqual([]);
    expect(finish(() => jobs.schedule("job", { due: 9, kind: "k" }))).toBe(false);
    expect(drain()).toEqual(["job"]);
  });

  test("that a rolled back commit created leave no trace", () => {
    const { state, jobs, commit, drain } = emptyJobs();
    commit(() => jobs.schedule("kept", { due: 5, kind: "k" }));
    state.begin();
    jobs.schedule("gone", { due: 1, kind: "k" });
    jobs.schedule("kept", { due: 2, kind: "k" });
    state.rollback();
    expect(jobs.next()).toMatchObject({ id: "kept", job: { due: 5, kind: "k" } });
    state.begin();
    jobs.cancel("kept");
    state.rollback();
    expect(drain()).toEqual(["kept"]);
  });

  test("that were rescheduled a thousand times run once, at the last time", () => {
    const { jobs, commit, drain } = emptyJobs();
    commit(() => jobs.schedule("kept", { due: 500, kind: "k" }));
    for (let i = 0; i < 1000; i++) {
      commit(() => jobs.schedule("moved", { due: i, kind: "k" }));
      jobs.settle();
    }
    expect(drain()).toEqual(["kept", "moved"]);
  });

  test("are loaded from the store in order of creation", () => {
    const { state, jobs, commit } = emptyJobs();
    commit(() => {
      for (const id of ["b", "a", "c"]) jobs.schedule(id, { due: 5, kind: "k" });
    });
    const reopened = emptyJobs();
    for (const [id, job] of Object.entries(documentOf(state).jobs ?? {}))
      reopened.state.load("jobs", id, JSON.stringify(job));
    inTurns(reopened.jobs.reload());
    expect(reopened.drain()).toEqual(["b", "a", "c"]);
  });

  test("of one instant run in the order of their last schedule, after a restart too", () => {
    const { state, jobs, commit } = emptyJobs();
    commit(() => {
      for (const id of ["first", "second"]) jobs.schedule(id, { due: 5, kind: "k" });
    });
    commit(() => jobs.schedule("first", { due: 5, kind: "k" }));
    const reopened = emptyJobs();
    for (const [id, job] of Object.entries(documentOf(state).jobs ?? {}))
      reopened.state.load("jobs", id, JSON.stringify(job));
    inTurns(reopened.jobs.reload());
    expect(reopened.drain()).toEqual(["second", "first"]);
  });

  test("are queued again when a commit is undone, without reading the others", () => {
    const { state, jobs, commit, drain } = emptyJobs();
    commit(() => {
      for (let i = 0; i < 1_000; i++) jobs.schedule(`job ${i}`, { due: i, kind: "k" });
    });
    state.begin();
    jobs.cancel("job 0");
    jobs.schedule("job 7", { due: 5_000, kind: "k" });
    const { undo } = state;
    state.end();
    expect(jobs.next()?.id).toBe("job 1");
    jobs.take();
    undoAll(undo);
    const read = vi.spyOn(state, "text");
    jobs.requeue(changedIds(undo, storedJobs));
    expect(read.mock.calls.length).toBeLessThan(10);
    expect(drain()).toEqual(Array.from({ length: 1_000 }, (_, i) => `job ${i}`));
  });

  test("do not inherit the position of a rolled back job with the same id", () => {
    const { state, jobs, commit, drain } = emptyJobs();
    state.begin();
    jobs.schedule("again", { due: 5, kind: "k" });
    state.rollback();
    commit(() => jobs.schedule("other", { due: 5, kind: "k" }));
    commit(() => jobs.schedule("again", { due: 5, kind: "k" }));
    expect(drain()).toEqual(["other", "again"]);
  });
});

/** Runs one job and records its result in the commit that removes the job. */

import { toIso } from "../../time/time.js";
import type { Activity } from "../activity/activity.js";
import type { Job } from "../jobs/jobs.js";
import type { AnyMachine } from "../records/machine.js";
import type { Account } from "./account.js";

/** Result of a job, as `advance` returns it. */
export interface Ran {
  at: string;
  kind: string;
  [field: string]: unknown;
}

/**
 * Records the result of a finished job, in the commit that removes the job. `current` is false if the job was cancelled or
 * replaced while its handler ran.
 */
export type JobResult = ((current: boolean) => Ran | null) | null;

/**
 * Runs one kind of job at its due time. An advancing clock waits for a promise before it moves on. The job stays
 * stored until its result is committed, so a crash in between repeats it.
 */
export type JobHandler = (account: Account, job: Job, activity: Activity) => JobResult | Promise<JobResult>;

/** A kind of job: its description for people, and its handler. */
export interface JobKind {
  /** Formats what a job of this kind does, as a sentence in the present tense without secrets. */
  says(account: Account, job: Job): string;
  run: JobHandler;
}

export interface RunOptions {
  kind: JobKind | undefined;
  onError(error: unknown): void;
  /** Called with the order of each job that the result schedules. */
  onScheduled?(order: number): void;
}

/** Takes the account's next job off the queue and runs it. */
export function runJob(
  account: Account,
  id: string,
  job: Job,
  options: RunOptions,
): Ran | null | Promise<Ran | null> {
  const { kind, onError } = options;
  account.jobs.take();
  if (!kind) return null;
  const { epoch } = account;
  const activity = account.activities.ofJob(job, kind.says(account, job));
  const finishAs = (result: JobResult, at?: number): Ran | null => {
    const ran = account.activities.within(activity, () => finish(account, id, job, result, options, at));
    return ran && { ...ran, says: activity.summary };
  };
  let running: Promise<Ran | null>;
  const finishOnceSettled = async (settling: Promise<JobResult>) => {
    try {
      const result = await settling;
      return account.epoch === epoch ? finishAs(result) : null;
    } catch (error) {
      onError(error);
      return null;
    } finally {
      account.inFlight.delete(running);
    }
  };
  try {
    const result = kind.run(account, job, activity);
    if (!(result instanceof Promise)) return finishAs(result, job.due);
    running = finishOnceSettled(result);
    account.inFlight.add(running);
    return running;
  } catch (error) {
    onError(error);
    if (!account.closed) finishAs(null);
    return null;
  }
}

/** Removes a job that has run and records its result, in one commit at `at` (default: now). */
function finish(
  account: Account,
  id: string,
  job: Job,
  result: JobResult,
  { onScheduled }: RunOptions,
  at?: number,
): Ran | null {
  const first = account.jobs.nextOrder;
  const record = () => {
    const current = account.jobs.finish(id, job);
    return result === null ? null : result(current);
  };
  const ran = account.commit("clock", record, at);
  if (onScheduled) for (let order = first; order < account.jobs.nextOrder; order++) onScheduled(order);
  return ran;
}

/** The jobs that move records by the clock. */
export const moveJob = (machines: ReadonlyMap<string, AnyMachine>): JobKind => ({
  says(account, { machine: name, id, move }) {
    const machine = machines.get(name as string);
    const record = machine && account.records.get(machine, id as string);
    return (
      (record && machine.moves[move as string]?.due?.(record, account)) ?? `The move ${move} of ${id} is due.`
    );
  },
  run(account, job) {
    const machine = machines.get(job.machine as string);
    const record = machine && account.records.get(machine, job.id as string);
    if (!machine || !record) return null;
    const move = job.move as string;
    return () => {
      account.records.moveByClock(machine, record, move);
      const { id, state: to } = record;
      return { at: toIso(job.due), kind: "move", machine: machine.name, id, move, to };
    };
  },
});

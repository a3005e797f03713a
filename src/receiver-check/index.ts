/** Sends a receiver everything that a receiver may get, and judges it by what it answers. */

import { attemptTimeout } from "../webhooks/send.js";
import { Random, randomHex } from "../world/time/random.js";
import { delay } from "../world/time/time.js";
import type { Check, Exchange } from "./check.js";
import { expectListening } from "./listening.js";
import { Posts } from "./posts.js";
import { checkGroups, selectChecks } from "./repertoire.js";
import { type CheckResult, hintsOf, type ReceiverReport, type Verdict } from "./report.js";
import { Wire } from "./wire.js";

export interface ReceiverCheckOptions {
  /** The receiver: http or https. */
  url: string;
  /** The webhook secret that the receiver knows. */
  secret: string;
  /** Real ms for each answer; default: the 10 s of a delivery. */
  timeout?: number;
  /** Seed of the ids that are sent; default: a fresh one. */
  seed?: string;
  /** Ids and groups of the checks to run; default: all. */
  only?: readonly string[];
}

/** So many checks in a row without an answer: the receiver hangs, and the others need not wait for it. */
const patience = 3;
/** A process that ends closes its sockets one after the other, within so many ms. */
const dying = 100;

/** Rejects with ReceiverUnreachable when nothing listens there, with a RangeError when `only` names no check. */
export async function checkReceiver(options: ReceiverCheckOptions): Promise<ReceiverReport> {
  const { url, secret, timeout = attemptTimeout, seed = randomHex(4), only } = options;
  if (!/^https?:$/.test(new URL(url).protocol)) throw new TypeError(`${url} is no http or https URL`);
  const groups = selectChecks(checkGroups(timeout), only);
  await expectListening(url, timeout);
  const wire = new Wire(url, timeout);
  const posts = new Posts(Random.seeded(seed, "receiver check"), secret);
  const results: CheckResult[] = [];
  const running: Run = { wire, posts, standing: new Standing(wire) };
  try {
    for (const { heading, checks } of groups)
      for (const check of checks) results.push(await run(check, heading, running));
  } finally {
    await wire.close();
  }
  const counts = countVerdicts(results);
  const passed = counts.fail === 0 && counts.skipped === 0;
  return { url, seed, timeout_ms: timeout, passed, counts, hints: hintsOf(results), results };
}

interface Run {
  wire: Wire;
  posts: Posts;
  standing: Standing;
}

/** Whether the receiver is still worth sending to. */
class Standing {
  /** Why not. */
  givenUp: string | null = null;
  #silent = 0;

  constructor(readonly wire: Wire) {}

  async after({ id }: Check, exchanges: readonly Exchange[]): Promise<void> {
    this.#silent = exchanges.some(({ timedOut }) => timedOut) ? this.#silent + 1 : 0;
    if (this.#silent >= patience) this.givenUp = `it left ${patience} checks in a row without an answer`;
    if (exchanges.every(({ status, timedOut }) => status !== null || timedOut)) return;
    await delay(dying);
    await expectListening(this.wire.url, this.wire.timeout).catch(() => {
      this.givenUp = `nothing listens there any more since ${id}`;
    });
  }
}

async function run(check: Check, group: string, { wire, posts, standing }: Run): Promise<CheckResult> {
  const { id, title, sends: sent, right, always } = check;
  const shown = { id, group, title, sent, right };
  if (standing.givenUp !== null && !always)
    return { ...shown, answered: [], verdict: "skipped", says: `Not sent: ${standing.givenUp}.` };
  wire.check = id;
  const exchanges = await check.send(wire, posts);
  if (!always) await standing.after(check, exchanges);
  const answered = exchanges.map(({ status, duration_ms, error }) => ({ status, duration_ms, error }));
  return { ...shown, answered: always ? [] : answered, ...check.judge(exchanges) };
}

function countVerdicts(results: readonly CheckResult[]): Record<Verdict, number> {
  const counts = { pass: 0, fail: 0, advice: 0, skipped: 0 };
  for (const { verdict } of results) counts[verdict]++;
  return counts;
}

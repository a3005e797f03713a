/** What the next ids, request ids and turns of jobs depend on: part of every commit, and taken back with one. */
import type { Account } from "./account.js";
import type { Sequences } from "./account-settings.js";
import { Random, type RandomState } from "./time/random.js";

export interface Mark {
  random: RandomState;
  jobs: number;
}

export class AccountSequences {
  #requestsKept = 0;

  constructor(readonly account: Account) {}

  /** Where they stand. */
  get mark(): Mark {
    const { random, jobs } = this.account;
    return { random: random.state, jobs: jobs.nextOrder };
  }

  rollback({ random, jobs }: Mark): void {
    this.account.random.state = random;
    this.account.jobs.nextOrder = jobs;
  }

  /** Inside a commit that began at the mark: keeps what has changed. */
  keep(before: Mark): void {
    const { state, requestCount } = this.account;
    const { random, jobs } = this.mark;
    const same = random[3] === before.random[3] && jobs === before.jobs;
    if (same && (requestCount === this.#requestsKept || !state.changed)) return;
    const text = `{"random":[${random.join(",")}],"requests":${requestCount},"jobs":${jobs}}`;
    state.putText("account", "sequences", text);
    this.#requestsKept = requestCount;
  }

  /** Takes up what the state has; false when nothing was drawn yet. */
  resume(): boolean {
    const kept = this.account.state.get<Sequences>("account", "sequences");
    this.account.requestCount = kept?.requests ?? 0;
    this.account.jobs.nextOrder = kept?.jobs ?? 0;
    if (kept) this.account.random = new Random(kept.random);
    return kept !== undefined;
  }
}

/** The sequences that the next ids, request ids and job orders come from: kept with every commit, rolled back with it. */
import type { AccountContext } from "./account-context.js";
import { Random, type RandomState } from "./time/random.js";

/** Positions of the sequences at the start of a commit. */
interface Mark {
  random: RandomState;
  jobs: number;
}

/** The sequences as they are stored. */
export interface SequencesRecord extends Mark {
  /** Number of requests so far. */
  requests: number;
}

export class Sequences {
  #storedRequests = 0;

  constructor(readonly account: AccountContext & { requestCount: number }) {}

  get mark(): Mark {
    const { random, jobs } = this.account;
    return { random: random.state, jobs: jobs.nextOrder };
  }

  rollback({ random, jobs }: Mark): void {
    this.account.random.state = random;
    this.account.jobs.nextOrder = jobs;
  }

  /** Inside a commit that began at `before`: stores the sequences if they have advanced. */
  store(before: Mark): void {
    const { state, requestCount } = this.account;
    const { random, jobs } = this.mark;
    const same = random[3] === before.random[3] && jobs === before.jobs;
    if (same && (requestCount === this.#storedRequests || !state.changed)) return;
    const text = `{"random":[${random.join(",")}],"requests":${requestCount},"jobs":${jobs}}`;
    state.putText("account", "sequences", text);
    this.#storedRequests = requestCount;
  }

  /** Takes up the stored sequences. Returns false when there are none. */
  resume(): boolean {
    const stored = this.account.state.get<SequencesRecord>("account", "sequences");
    this.account.requestCount = stored?.requests ?? 0;
    this.account.jobs.nextOrder = stored?.jobs ?? 0;
    if (stored) this.account.random = new Random(stored.random);
    return stored !== undefined;
  }
}

/** Sequences for ids and job orders, stored with every commit and rolled back with it. */

import { Random } from "../../time/random.js";
import type { AccountContext } from "./account-context.js";
import { ownRecords, type SequencesRecord } from "./account-settings.js";

export class Sequences {
  constructor(readonly account: AccountContext) {}

  get mark(): SequencesRecord {
    const { random, jobs } = this.account;
    return { random: random.state, jobs: jobs.nextOrder };
  }

  rollback({ random, jobs }: SequencesRecord): void {
    this.account.random.state = random;
    this.account.jobs.nextOrder = jobs;
  }

  /** Inside a commit that began at `before`: stores the sequences if they have advanced. */
  store(before: SequencesRecord): void {
    const { random, jobs } = this.mark;
    if (random[3] === before.random[3] && jobs === before.jobs) return;
    this.account.state.put(ownRecords, "sequences", { random, jobs });
  }

  /** Loads the stored sequences. Returns false if there are none. */
  resume(): boolean {
    const stored = this.account.state.get(ownRecords, "sequences");
    this.account.jobs.nextOrder = stored?.jobs ?? 0;
    if (stored) this.account.random = new Random(stored.random);
    return stored !== undefined;
  }
}

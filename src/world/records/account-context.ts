/** The interface through which the parts of an account reach what they share. Only `account.ts` knows all the parts. */

import type { Clock } from "../../time/clock.js";
import type { Random } from "../../time/random.js";
import type { Activities } from "../activity/activities.js";
import type { Coverage } from "../activity/coverage.js";
import type { Jobs } from "../jobs/jobs.js";
import type { State } from "../store/state.js";
import type { AccountSettings } from "./account-settings.js";

export interface AccountContext {
  readonly state: State;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly coverage: Coverage;
  readonly activities: Activities;
  readonly live: boolean;
  /** Actor of the open commit, as recorded in the history of records: api, clock, control or page. */
  readonly actor: string;
  random: Random;
  get settings(): Readonly<AccountSettings>;
  set settings(settings: AccountSettings);
  /** Inside a commit: calls `hook` once the commit's line is safe. */
  afterCommit(hook: () => void): void;
}

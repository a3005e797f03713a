/** Creates the account of a state that a store has opened. */

import { realNow } from "../time/time.js";
import { Account } from "./account/account.js";
import type { Coverage } from "./activity/coverage.js";
import type { JournalEntry } from "./activity/request-journal.js";
import type { State } from "./store/state.js";
import type { OpenedAccount } from "./store/store.js";
import type { WorldOptions } from "./world-options.js";

interface AccountParts {
  world: WorldOptions;
  /** Coverage of all accounts. */
  coverage: Coverage;
  onCommit(): void;
}

const unchanged = (entry: JournalEntry): JournalEntry => entry;

/** Returns the account, without its jobs. One that the store has never seen has yet to be initialised. */
export function createAccount(
  id: string,
  state: State,
  { log, known }: OpenedAccount,
  { world, coverage, onCommit }: AccountParts,
): Account {
  const {
    store,
    seed,
    baseUrl,
    ownUrl = () => null,
    barePayloads = false,
    endpointSecrets = false,
    payloadBytes = "spaced",
    keepsTestWallet = false,
    planDelivery,
    redactRequest,
    fixedSettings,
    fillFresh,
  } = world;
  const account: Account = new Account({
    id,
    seed,
    runId: store.runId,
    requestLog: redactRequest ? store.requestLog(id) : null,
    redactRequest: redactRequest ?? unchanged,
    baseUrl,
    ownUrl,
    fixedSettings: fixedSettings?.account === id ? fixedSettings.settings : {},
    fillFresh: () => fillFresh?.(account),
    barePayloads,
    endpointSecrets,
    payloadBytes,
    keepsTestWallet,
    planDelivery: (sent, target) => planDelivery?.(account, sent, target) ?? null,
    state,
    log,
    coverage,
    onCommit,
  });
  if (known) account.resume();
  if (known && store.cluster) account.takenOverAt = realNow();
  return account;
}

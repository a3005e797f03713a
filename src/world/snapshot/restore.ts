/** Restores snapshots. */

import type { ClockSetting } from "../../time/clock.js";
import { inTurns } from "../../time/turns.js";
import { Account } from "../account/account.js";
import { refill } from "../account/refill.js";
import {
  freshSettings,
  type Identity,
  ownRecords,
  type SequencesRecord,
} from "../records/account-settings.js";
import { memoryStore } from "../store/open-store.js";
import { State } from "../store/state.js";
import type { OpenedAccount } from "../store/store.js";
import type { ReadSnapshot } from "./read.js";
import { toId } from "./snapshot.js";

/** Replaces everything in the account with the state of a copy, which must not be used any more. */
export const adopt = (account: Account, copy: Account): void =>
  refill(
    account,
    () => {
      account.state.takeFrom(copy.state);
      account.resume();
    },
    copy.jobs,
  );

/** Restores a snapshot into a temporary copy of the account, so that a failure leaves the account unchanged. */
export async function rehearse(account: Account, snapshot: ReadSnapshot): Promise<Account> {
  const state = new State();
  const { log } = memoryStore.open(account.id, state, () => {}) as OpenedAccount;
  const { planDelivery: _planDelivery, ...options } = account.options;
  const copy = new Account(options, { ...account.parts, state, log, requestLog: null, onCommit() {} });
  await inTurns(fill(state, account, snapshot));
  copy.resume();
  await inTurns(copy.jobs.reload());
  return copy;
}

function* fill(target: State, account: Account, { now, tables }: ReadSnapshot): Generator<void, void> {
  const { live, registered } = account;
  const { settings, sequences, ...others } = tables[ownRecords.name] ?? {};
  const own = {
    ...others,
    identity: { live, registered } satisfies Identity,
    clock: { offset: 0, frozen_at: now, paused: true } satisfies ClockSetting,
    // Snapshots of earlier versions lack the tables that later versions added.
    settings: { ...freshSettings(account.settings.webhook_secret), ...settings },
    sequences: sequences as SequencesRecord,
  };
  for (const [key, record] of Object.entries(own))
    target.load(ownRecords.name, toId(key), JSON.stringify(record));
  for (const [table, records] of Object.entries(tables)) {
    if (table === ownRecords.name) continue;
    for (const [key, record] of Object.entries(records)) {
      target.load(table, toId(key), JSON.stringify(record));
      yield;
    }
  }
}

/** Snapshots of accounts, without a server. */
import type { Account } from "../../src/world/account/account.js";
import { adopt, readSnapshot, rehearse } from "../../src/world/snapshot/restore.js";
import { type StoredSnapshot, snapshotText } from "../../src/world/snapshot/snapshot.js";

export const takeSnapshot = (account: Account, version: string): StoredSnapshot =>
  JSON.parse([...snapshotText(account, version)].join(""));

export async function restoreSnapshot(account: Account, snapshot: object, version: string): Promise<void> {
  const read = await readSnapshot({ ...snapshot }, account, version);
  adopt(account, await rehearse(account, read));
}

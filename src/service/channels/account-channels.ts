/** The channels of an account, the one that it has from the start among them; assumption channels.default. */
import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account.js";
import { Random } from "../../world/time/random.js";
import { type ChannelRecord, channel, inventNumber } from "./machines/channel.js";
import { expireIfDue } from "./machines/expiry.js";

/**
 * Inside a commit, before anything else is done with channels. Id and number come of the account alone, so that they
 * are the same whatever asks first, and again after a reset; a restored snapshot brings the line of its own account.
 */
function openMainLine(account: Account): void {
  if (account.state.size(channel.name) > 0) return;
  const { seed, account: id } = account.origin;
  const random = Random.seeded(seed, id, "main line");
  account.records.start(channel, "create", {
    id: random.id(channel.prefix),
    label: "Main line",
    phone: inventNumber(random),
    website: null,
    link: null,
  });
}

/** Inside a commit: newest first. */
export function channelsOf(account: Account): ChannelRecord[] {
  openMainLine(account);
  return [...account.records.newest(channel)].map((record) => expireIfDue(account, channel, record));
}

/** Inside a commit. */
export function openChannel(account: Account, label: string): ChannelRecord {
  openMainLine(account);
  return account.records.start(channel, "create", { label, phone: null, website: null, link: null });
}

/** Inside a commit: the account's channel of this id, or 404. */
export function neededChannel(account: Account, id: string): ChannelRecord {
  openMainLine(account);
  const record = account.records.get(channel, id);
  if (record) return expireIfDue(account, channel, record);
  const message = `There is no channel ${JSON.stringify(id.slice(0, 60))} on this account; GET /v1/wa/channels lists those that there are.`;
  return refuse("resource_not_found", { param: "channel_id", message });
}

/** Inside a commit: the same when a number is linked to it, or 409. */
export function connectedChannel(account: Account, id: string): ChannelRecord {
  const record = neededChannel(account, id);
  if (record.state === "connected") return record;
  const message = `${record.id} is ${record.state}; POST /v1/wa/channels/${record.id}/connect gives a code to be scanned.`;
  return refuse("channel_not_connected", { param: "channel_id", message });
}

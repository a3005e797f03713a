/** The channels of an account, including the main line that every account has; assumption channels.default. */
import { refuse } from "../../contract/errors.js";
import { Random } from "../../time/random.js";
import type { Account } from "../../world/account/account.js";
import { expireIfDue, requireRecord } from "../account-records.js";
import { inventNumber } from "./linking.js";
import { type ChannelRecord, channel } from "./machines/channel.js";

/**
 * Creates the main line before any other use of channels. Its id and number follow from the account alone, so they do not
 * depend on the first request and survive a reset. A restored snapshot has the main line of its own account. Call inside a
 * commit.
 */
function createMainLine(account: Account): void {
  if (account.state.size(channel) > 0) return;
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

/** Returns the channels, newest first. Call inside a commit. */
export function channelsOf(account: Account): ChannelRecord[] {
  createMainLine(account);
  return [...account.records.newest(channel)].map((record) => expireIfDue(account, channel, record));
}

/** Call inside a commit. */
export function startChannel(account: Account, label: string): ChannelRecord {
  createMainLine(account);
  return account.records.start(channel, "create", { label, phone: null, website: null, link: null });
}

/** Returns the channel with this id. Refuses with 404 resource_not_found if there is none. Call inside a commit. */
export function requireChannel(account: Account, id: string): ChannelRecord {
  createMainLine(account);
  const wanted = { id, param: "channel_id", noun: "channel", hint: "GET /v1/wa/channels lists them" };
  return expireIfDue(account, channel, requireRecord(account, channel, wanted));
}

/** Like `requireChannel`. Also refuses with 409 channel_not_connected if no number is linked. */
export function requireConnectedChannel(account: Account, id: string): ChannelRecord {
  const record = requireChannel(account, id);
  if (record.state === "connected") return record;
  const message = `${record.id} is ${record.state}; POST /v1/wa/channels/${record.id}/connect starts linking a number.`;
  return refuse("channel_not_connected", { param: "channel_id", message });
}

/** Interface: "Messaging channel". States and linking: assumption channels.states. */
import type { Account } from "../../../world/account/account.js";
import { machine, type Stored } from "../../../world/records/machine.js";
import { type LinkCode, newLinkCode, readPhone, readWebsite } from "../linking.js";

export interface ChannelFields {
  label: string;
  /** Digits with country code; null until a number is linked. */
  phone: string | null;
  /** URL that gets `verification` events in addition to the registered endpoints. */
  website: string | null;
  /** Null unless connecting. */
  link: LinkCode | null;
}

export type ChannelRecord = Stored<ChannelFields>;

const states = ["disconnected", "connecting", "connected"] as const;

function issueLinkCode(record: ChannelRecord, account: Account): void {
  record.link = newLinkCode(account);
}

function discardLinkCode(record: ChannelRecord): void {
  record.link = null;
}

function linkPhone(record: ChannelRecord, { random }: Account, input: unknown): void {
  record.phone = readPhone(input, record.phone, random);
  record.link = null;
}

function setWebsite(record: ChannelRecord, _account: Account, input: unknown): void {
  record.website = readWebsite(input);
}

/** Returns the channel as listChannels replies. */
export const viewChannel = ({ id, label, phone, state }: ChannelRecord) => ({
  id,
  label,
  phone,
  status: state as (typeof states)[number],
});

const linkCodeExpiry = ({ link }: ChannelFields): number | null => link?.expires_at ?? null;

export const channel = machine<ChannelFields, Account>()({
  name: "channel",
  prefix: "wac_",
  moves: {
    // Assumption channels.default: the main line is created with a linked number.
    create: {
      from: "new",
      to: ({ phone }) => (phone === null ? "disconnected" : "connected"),
      oneOf: ["disconnected", "connected"],
    },
    connect: { from: "disconnected", to: "connecting", effect: issueLinkCode },
    scan: { from: "connecting", to: "connected", effect: linkPhone },
    expire: { from: "connecting", to: "disconnected", at: linkCodeExpiry, effect: discardLinkCode },
    disconnect: { from: "connected", to: "disconnected" },
    connect_website: { from: states, to: ({ state }) => state, effect: setWebsite },
  },
  view: (record) => ({
    ...viewChannel(record),
    website: record.website === null ? null : new URL(record.website).href,
    created_at: record.created_at,
  }),
});

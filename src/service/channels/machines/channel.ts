/** Interface: "Messaging channel". States and linking: assumption channels.states. */
import type { Static } from "typebox";
import type { Account } from "../../../world/account/account.js";
import type { Stored } from "../../../world/records/machine.js";
import { machine } from "../../machine.js";
import { type LinkCode, newLinkCode, readPhone, readWebsite } from "../linking.js";
import { Channel } from "../schemas.js";

export interface ChannelFields {
  label: string;
  /** Digits with country code; null until a number is linked. */
  phone: string | null;
  /** URL that gets `verification` events in addition to the registered endpoints. */
  website: string | null;
  /** Null unless connecting. */
  link: LinkCode | null;
}

const states = Channel.properties.status.enum;

export type ChannelRecord = Stored<ChannelFields, Static<typeof Channel>["status"]>;

function issueLinkCode(record: ChannelRecord, account: Account): void {
  record.link = newLinkCode(account);
}

function discardLinkCode(record: ChannelRecord): void {
  record.link = null;
}

function linkPhone(record: ChannelRecord, _account: Account, phone: string): void {
  record.phone = phone;
  record.link = null;
}

function setWebsite(record: ChannelRecord, _account: Account, url: string | null): void {
  record.website = url;
}

/** Returns the channel as listChannels replies. */
export const viewChannel = ({ id, label, phone, state }: ChannelRecord) => ({
  id,
  label,
  phone,
  status: state,
});

const linkCodeExpiry = ({ link }: ChannelFields): number | null => link?.expires_at ?? null;

/** Formats what happened to a channel, such as `The channel "Main line" was disconnected.` */
const describe =
  (what: string) =>
  ({ label }: ChannelFields): string =>
    `The channel "${label}" ${what}.`;

export const channel = machine<ChannelFields>()({
  name: "channel",
  prefix: "wac_",
  states,
  moves: {
    // Assumption channels.default: the main line is created with a linked number.
    create: {
      from: "new",
      to: ["disconnected", "connected"],
      next: ({ phone }) => (phone === null ? "disconnected" : "connected"),
      says: describe("was created"),
    },
    connect: {
      from: "disconnected",
      to: "connecting",
      effect: issueLinkCode,
      says: describe("waits for its link code to be scanned"),
    },
    scan: {
      from: "connecting",
      to: "connected",
      input: readPhone,
      effect: linkPhone,
      says: (record) => describe(`was linked to +${record.phone}`)(record),
    },
    expire: {
      from: "connecting",
      to: "disconnected",
      at: linkCodeExpiry,
      effect: discardLinkCode,
      says: describe("was not linked: its link code expired"),
    },
    disconnect: { from: "connected", to: "disconnected", says: describe("was disconnected") },
    connect_website: {
      from: states,
      input: readWebsite,
      effect: setWebsite,
      says: (record) =>
        describe(
          record.website === null
            ? "has no website any more"
            : `was connected to the website ${new URL(record.website).hostname}`,
        )(record),
    },
  },
  view: (record) => ({
    ...viewChannel(record),
    website: record.website === null ? null : new URL(record.website).href,
    created_at: record.created_at,
  }),
});

/** Interface: "Messaging channel"; its states and what links a number: assumption channels.states. */
import { refuse } from "../../../contract/errors.js";
import type { Account } from "../../../world/account.js";
import { machine, type Stored } from "../../../world/machine.js";
import type { Random } from "../../../world/time/random.js";
import { second } from "../../../world/time/time.js";
import { readWebsite } from "../linking.js";

/** So long a code can be scanned. */
export const linkLifetime = 60 * second;

/** What links the number: the text of the QR code, or what is typed in the messaging app instead. */
export interface Link {
  code: string;
  pairing_code: string;
  /** Ms on the account's clock. */
  expires_at: number;
}

export interface ChannelFields {
  label: string;
  /** Digits with country code; null until a number is linked. */
  phone: string | null;
  /** Where `verification` goes beside the registered endpoints. */
  website: string | null;
  /** Null while it is not connecting. */
  link: Link | null;
}

export type ChannelRecord = Stored<ChannelFields>;

/** Nobody's: a number of a Nigerian mobile network. */
export const inventNumber = (random: Random): string => `234810${random.digits(7)}`;

const newLink = ({ random, clock }: Account): Link => ({
  code: random.letters(32),
  pairing_code: random.letters(8).toUpperCase().replace(/^..../, "$&-"),
  expires_at: clock.now() + linkLifetime,
});

/** A scan by hand may say which number it is that scans; otherwise the one linked before, or any. */
function scanningPhone({ phone }: ChannelRecord, input: unknown, { random }: Account): string {
  const given = (input as { phone?: unknown } | undefined)?.phone;
  if (given === undefined) return phone ?? inventNumber(random);
  if (typeof given === "string" && /^[1-9][0-9]{7,14}$/.test(given)) return given;
  const message = "phone must be digits with country code and without a plus sign, such as 2348031234567.";
  return refuse("validation_error", { param: "phone", message });
}

const states = ["disconnected", "connecting", "connected"] as const;

/** As the interface's list shows it. */
export const viewChannel = ({ id, label, phone, state }: ChannelRecord) => ({
  id,
  label,
  phone,
  status: state as (typeof states)[number],
});

const unlink = (record: ChannelRecord): void => {
  record.link = null;
};

export const channel = machine<ChannelFields, Account>()({
  name: "channel",
  prefix: "wac_",
  moves: {
    // Assumption channels.default: the main line comes with a number that was linked before.
    create: { from: "new", to: ({ phone }) => (phone === null ? "disconnected" : "connected") },
    connect: {
      from: "disconnected",
      to: "connecting",
      effect: (record, account) => {
        record.link = newLink(account);
      },
    },
    scan: {
      from: "connecting",
      to: "connected",
      effect(record, account, input) {
        record.phone = scanningPhone(record, input, account);
        record.link = null;
      },
    },
    expire: {
      from: "connecting",
      to: "disconnected",
      at: ({ link }) => link?.expires_at ?? null,
      effect: unlink,
    },
    disconnect: { from: "connected", to: "disconnected" },
    connect_website: {
      from: states,
      to: ({ state }) => state,
      effect: (record, _account, input) => {
        record.website = readWebsite(input);
      },
    },
  },
  view: (record) => ({
    ...viewChannel(record),
    website: record.website === null ? null : new URL(record.website).href,
    created_at: record.created_at,
  }),
});

/** Interface: "Messaging channel": numbers of the messaging app, how they are linked, and the chats with people. */

import * as Type from "typebox";
import { refuse } from "../../contract/errors.js";
import { exactly, id, nullable, Timestamp } from "../../contract/schemas.js";
import { Random } from "../../time/random.js";
import { hour, second, toIso } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import type { RecordIn } from "../../world/records/machine.js";
import { table } from "../../world/store/table.js";
import { relayNameOf } from "../../world/webhooks/relay.js";
import { expireIfDue, requireRecord } from "../account-records.js";
import { inputField, machine, record, refuseInput } from "../machine.js";
import { chatNumberPattern, chatNumberRule } from "../numbers.js";
import { loadOnce, operation } from "../operation.js";
import { isDeliverable } from "../webhooks/webhooks.js";

export const ChannelParams = Type.Object({
  channel_id: Type.String({ description: "Id of a linked number" }),
});

/** Lengths in characters; assumption channels.sizes. */
export const maxTextLength = 4_096;
export const maxLabelLength = 100;

const assumed = { "x-assumption": "channels.states" };
const ChannelId = id("wac_", { "x-assumption": "ids" });
export const To = Type.String({ description: "Digits with country code", examples: ["2348031234567"] });

export const Channel = exactly({
  id: ChannelId,
  label: Type.String(),
  phone: nullable(Type.String(), {
    description: "Digits with country code; null until a number is linked",
    examples: ["2348031234567"],
    ...assumed,
  }),
  status: Type.Enum(["disconnected", "connecting", "connected"], assumed),
});

export const CreatedChannel = exactly(
  {
    id: ChannelId,
    label: Type.String(),
    phone: Type.Null(),
    status: Type.Literal("disconnected"),
    created_at: Timestamp,
  },
  assumed,
);

export const ChannelLink = exactly(
  {
    id: ChannelId,
    status: Type.Literal("connecting"),
    qr: exactly({
      code: Type.String({ description: "Content of the QR code" }),
      image: Type.String({ description: "QR code as a data URI of an SVG image" }),
      expires_at: Timestamp,
    }),
    pairing_code: Type.String({ description: "Alternative to scanning, to be typed in the messaging app" }),
  },
  assumed,
);

// Links a channel to a number of the messaging app and to a website, which gets its `verification` events.

const chatNumber = new RegExp(chatNumberPattern);

/** Time until a link code expires. */
const linkCodeLifetimeMs = 60 * second;

/** A code that links a number when scanned or typed. */
export interface LinkCode {
  /** Content of the QR code. */
  code: string;
  /** Alternative that is typed in the messaging app. */
  pairing_code: string;
  /** Time in ms on the account's clock. */
  expires_at: number;
}

const newLinkCode = ({ random, clock }: Account): LinkCode => ({
  code: random.letters(32),
  pairing_code: random.letters(8).toUpperCase().replace(/^..../, "$&-"),
  expires_at: clock.now() + linkCodeLifetimeMs,
});

/** Returns an invented number of a Nigerian mobile network. */
const inventNumber = (random: Random): string => `234810${random.digits(7)}`;

/** Reads the `phone` that scans the code. Default: the previously linked number, or an invented one. */
function readPhone(
  input: unknown,
  { phone: previous }: { phone: string | null },
  { random }: Account,
): string {
  const phone = inputField(input, "phone");
  if (phone === undefined) return previous ?? inventNumber(random);
  if (typeof phone === "string" && chatNumber.test(phone)) return phone;
  return refuseInput("phone", chatNumberRule, phone);
}

/** Reads the `url` of the website, which may be a relay's; null disconnects it. */
function readWebsite(input: unknown): string | null {
  const url = inputField(input, "url");
  if (url === null || (typeof url === "string" && (isDeliverable(url) || relayNameOf(url) !== null)))
    return url;
  // The URL is not quoted, as it may hold credentials.
  const message =
    "url must be an http or https URL without user name and password, such as http://127.0.0.1:3000/verified, a relay such as relay:laptop, or null.";
  return refuse("validation_error", { param: "url", message });
}

// Interface: "Messaging channel". States and linking: assumption channels.states.

/** A channel as the control API shows it. */
const StoredChannel = exactly({
  ...Channel.properties,
  website: nullable(Type.String()),
  created_at: Timestamp,
});

export const channelRecord = record(StoredChannel, {
  hidden: {
    /** URL that gets `verification` events in addition to the registered endpoints. */
    website: nullable(Type.String()),
    /** Current link code. Null unless the channel is connecting. */
    link: nullable(Type.Unsafe<LinkCode>(Type.Object({}))),
  },
  view: { website: ({ website }) => (website === null ? null : new URL(website).href) },
});
export type ChannelRecord = RecordIn<typeof channelRecord>;

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

const linkCodeExpiry = ({ link }: ChannelRecord): number | null => link?.expires_at ?? null;

export const channel = machine(channelRecord, {
  name: "channel",
  prefix: "wac_",
  subject: ({ label }) => `The channel "${label}"`,
  moves: {
    // Assumption channels.default: the main line is created with a linked number.
    create: {
      from: "new",
      to: ["disconnected", "connected"],
      next: ({ phone }) => (phone === null ? "disconnected" : "connected"),
      says: "was created",
    },
    connect: {
      from: "disconnected",
      to: "connecting",
      effect: issueLinkCode,
      says: "waits for its link code to be scanned",
    },
    scan: {
      from: "connecting",
      to: "connected",
      input: readPhone,
      effect: linkPhone,
      says: ({ phone }) => `was linked to +${phone}`,
    },
    expire: {
      from: "connecting",
      to: "disconnected",
      at: linkCodeExpiry,
      due: "is not linked: its link code expires",
      effect: discardLinkCode,
      says: "was not linked: its link code expired",
    },
    disconnect: { from: "connected", to: "disconnected", says: "was disconnected" },
    connect_website: {
      from: Channel.properties.status.enum,
      input: readWebsite,
      effect: setWebsite,
      says: ({ website }) =>
        website === null
          ? "has no website any more"
          : `was connected to the website ${new URL(website).hostname}`,
    },
  },
});

// The channels of an account, including the main line that every account has; assumption channels.default.

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
function channelsOf(account: Account): ChannelRecord[] {
  createMainLine(account);
  return [...account.records.newest(channel)].map((record) => expireIfDue(account, channel, record));
}

/** Creates a channel. Call inside a commit. */
function startChannel(account: Account, label: string): ChannelRecord {
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

// State of a channel per person: their last message, and the last code and question they were sent.

export interface Chat {
  /** Time in ms on the account's clock; null if the person has never written. */
  last_message_at: number | null;
  code_id: string | null;
  question_id: string | null;
}

const chats = table<Chat>("chats");
const keyOf = (channelId: string, person: string): string => `${channelId}:${person}`;

export const chatWith = (account: Account, channelId: string, person: string): Chat =>
  account.state.get(chats, keyOf(channelId, person)) ?? {
    last_message_at: null,
    code_id: null,
    question_id: null,
  };

/** Saves a chat. Call inside a commit. */
export const saveChat = (account: Account, channelId: string, person: string, chat: Chat): void =>
  account.state.put(chats, keyOf(channelId, person), chat);

/** Interface: "only to people who messaged within 24 to 72 hours, depending on plan"; assumption channels.window. */
const replyWindows = { starter: 24 * hour, growth: 48 * hour, business: 72 * hour } as const;

/** Returns whether the person may be messaged under the account's current plan. */
export const isWindowOpen = ({ clock, settings }: Account, { last_message_at }: Chat): boolean =>
  last_message_at !== null && clock.now() - last_message_at < replyWindows[settings.plan];

export const listChannels = operation({
  id: "listChannels",
  route: "GET /v1/wa/channels",
  summary: "List the linked numbers",
  description: "Numbers are linked once, in the dashboard or with the two operations below.",
  auth: "key",
  reply: { 200: Type.Array(Channel) },
  assumptions: ["channels.default", "lists"],
  handle: ({ account }) =>
    channelsOf(account).map((found) => {
      const { id, label, phone, status } = channel.view(found);
      return { id, label, phone, status };
    }),
});

export const createChannel = operation({
  id: "createChannel",
  route: "POST /v1/wa/channels",
  summary: "Create a channel for a number",
  description: "The channel is disconnected until a number is linked.",
  auth: "key",
  body: Type.Object({
    label: Type.String({ minLength: 1, maxLength: maxLabelLength, examples: ["Main line"] }),
  }),
  reply: { 201: CreatedChannel },
  assumptions: ["channels.sizes"],

  handle({ account, body }) {
    const { id, label, created_at } = startChannel(account, body.label);
    return { id, label, phone: null, status: "disconnected" as const, created_at };
  },
});

const loadQrLibrary = loadOnce(() => import("uqr"));

/** Width of the white border that the standard requires, in modules. */
const quietZoneModules = 4;

/** Returns the QR code of the text as a data URI of an SVG image. */
function drawQr({ renderSVG }: typeof import("uqr"), text: string): string {
  const svg = renderSVG(text, { ecc: "M", border: quietZoneModules });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

export const connectChannel = operation({
  id: "connectChannel",
  route: "POST /v1/wa/channels/{channel_id}/connect",
  summary: "Start linking a number",
  description: "The number is linked by scanning the code from the messaging app.",
  auth: "key",
  params: ChannelParams,
  reply: { 200: ChannelLink },
  refuses: ["resource_not_found", "invalid_state"],
  assumptions: ["channels.default"],

  prepare: loadQrLibrary,
  handle({ account, params, prepared, refuse }) {
    const record = requireChannel(account, params.channel_id);
    if (record.state === "connected") {
      const message = `${record.id} is already connected to ${record.phone}.`;
      refuse("invalid_state", { param: "channel_id", message });
    }
    // While a code is open, repeated calls return the same code.
    if (record.state === "disconnected") account.records.move(channel, record, "connect");
    const { code, pairing_code, expires_at } = record.link as LinkCode;
    return {
      id: record.id,
      status: "connecting" as const,
      qr: { code, image: drawQr(prepared, code), expires_at: toIso(expires_at) },
      pairing_code,
    };
  },
});

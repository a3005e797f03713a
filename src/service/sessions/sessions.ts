/** Interface: "Real-time sessions": rooms, their access tokens and their billed use. */

import { createHmac } from "node:crypto";
import * as Type from "typebox";
import { controlRoutes } from "../../contract/control-routes.js";
import { refuse } from "../../contract/errors.js";
import { formatNaira, toNaira } from "../../contract/money.js";
import { Currency, exactly, id, naira, Timestamp } from "../../contract/schemas.js";
import { formatLength, fromIso, minute, second } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import type { RecordIn } from "../../world/records/machine.js";
import { table } from "../../world/store/table.js";
import { expireIfDue, newestRecords } from "../account-records.js";
import { inputField, Ms, machine, readInteger, readNumber, record } from "../machine.js";
import { operation, type ServiceSettings } from "../operation.js";
import { priceOf } from "../prices.js";

// Interface: "Real-time session"; assumption sessions.

const SessionType = Type.Enum(["video", "voice", "stream"], { description: "Kind of room" });
type SessionType = Type.Static<typeof SessionType>;
const SessionStatus = Type.Enum(["active", "completed", "expired"], { "x-assumption": "sessions" });
const SessionId = id("cs_");

/** Schema options of names, whose length media servers limit; assumption sessions.token. */
const name = { maxLength: 256, "x-assumption": "sessions.token" };

export const TokenBody = Type.Object({
  room_name: Type.Optional(
    Type.String({
      minLength: 1,
      ...name,
      description: "Omit to start a new room; the first token for a name creates its room",
      examples: ["consultation-17"],
    }),
  ),
  identity: Type.String({
    minLength: 1,
    ...name,
    description: "Participant; unique within a room",
    examples: ["user-204"],
  }),
  display_name: Type.Optional(Type.String({ ...name, examples: ["Dr Adaeze Okafor"] })),
  role: Type.Enum(["publisher", "viewer"], {
    description: "A publisher sends and receives; a viewer only receives",
  }),
});
type Role = Type.Static<typeof TokenBody>["role"];

export const StreamingToken = exactly({
  session_id: SessionId,
  room_name: Type.String(),
  token: Type.String({
    description: "A JWT that the media server accepts",
    "x-assumption": "sessions.token",
  }),
  url: Type.String({ format: "uri", description: "Secure websocket address of the media server" }),
  type: SessionType,
  expires_in_minutes: Type.Number(),
  price_per_minute: naira({ description: "NGN per participant and minute" }),
  currency: Currency,
  is_test: Type.Boolean(),
});

export const StreamingSession = exactly({
  id: SessionId,
  type: SessionType,
  room_name: Type.String(),
  status: SessionStatus,
  duration_seconds: Type.Number({
    description: "0 until the session is completed",
    "x-assumption": "sessions.billing",
  }),
  cost: naira({
    description: "NGN billed; 0 until the session is completed",
    "x-assumption": "sessions.billing",
  }),
  currency: Currency,
  created_at: Timestamp,
});

// The input of the move `end`: how long a session was used and by how many; assumption sessions.billing.

/** Limits of the input: one week, and more people than a room can hold. Larger values are probably mistakes. */
const maxMinutes = 10_080;
const maxParticipants = 100_000;

export interface SessionUse {
  seconds: number;
  /** Sum of the started minutes of all participants. */
  participantMinutes: number;
}

/** Reads the input. By default the session was used since it opened, by everyone who has a token. */
function readUse(input: unknown, session: SessionRecord, { clock }: Account): SessionUse {
  const minutes = inputField(input, "minutes");
  const participants = inputField(input, "participants");
  const seconds =
    minutes === undefined
      ? Math.round((clock.now() - (fromIso(session.created_at) as number)) / second)
      : Math.round(readNumber("minutes", minutes, 0, maxMinutes) * 60);
  const people =
    participants === undefined
      ? session.participants
      : readInteger("participants", participants, 0, maxParticipants);
  return { seconds, participantMinutes: Math.ceil(seconds / 60) * people };
}

// Interface: "Real-time session", which shows only completed. Other states: assumption sessions.

/** Lifetime of a token. A session lives as long as its last token. */
export const tokenLifetimeMs = 60 * minute;

export const sessionRecord = record(StreamingSession, {
  hidden: {
    /** Number of distinct identities that have a token. */
    participants: Type.Integer(),
    expires_at: Ms,
  },
});
export type SessionRecord = RecordIn<typeof sessionRecord>;

/** Returns the price per participant and minute. */
const sessionPrice = (type: SessionType) => priceOf(`session_${type}`);

/** Bills the actual use, even if it exceeds the wallet's balance; assumption sessions.billing. */
function bill(record: SessionRecord, account: Account, { seconds, participantMinutes }: SessionUse): void {
  const { type, cost } = sessionPrice(record.type);
  record.duration_seconds = seconds;
  record.cost = participantMinutes * cost;
  account.wallet.charge(type, record.cost);
}

export const session = machine(sessionRecord, {
  name: "session",
  prefix: "cs_",
  moves: {
    open: {
      from: "new",
      to: "active",
      says: ({ type, room_name }) => `The ${type} room ${room_name} was opened.`,
    },
    end: {
      from: "active",
      to: "completed",
      input: readUse,
      effect: bill,
      says: ({ type, room_name, duration_seconds, cost }) =>
        `The ${type} room ${room_name} ended after ${formatLength(duration_seconds * second)}: ${formatNaira(cost)}.`,
    },
    expire: {
      from: "active",
      to: "expired",
      at: (record) => record.expires_at,
      due: ({ type, room_name }) => `The ${type} room ${room_name} expires.`,
      says: ({ type, room_name }) => `The ${type} room ${room_name} expired.`,
    },
  },
});

// Rooms: a room name belongs to one session at a time; assumption sessions.rooms.

/** Indexes: the last session of each room, and the identities that have a token for a session. */
const rooms = table<{ session_id: string }>("rooms");
const participants = table<{ since: string }>("session_participants");

/** Returns the key of a room. Its prefix protects against room names such as `__proto__`. */
const roomKey = (name: string): string => `room:${name}`;

interface RoomEntry {
  type: SessionType;
  /** Name of the room. A new room is created if it is omitted. */
  room_name: string | undefined;
  identity: string;
}

/** Returns the session of a room for a new token, and opens it with the first token. Call inside a commit. */
export function enterRoom(account: Account, { type, room_name, identity }: RoomEntry): SessionRecord {
  const live = room_name === undefined ? null : liveSession(account, room_name);
  if (!live) return open(account, type, room_name ?? `room_${account.random.letters(12)}`, identity);
  if (live.type !== type) {
    const message = `The room ${JSON.stringify(live.room_name)} is in use by the ${live.type} session ${live.id}; use another room_name, or request a ${live.type} token.`;
    return refuse("invalid_state", { param: "room_name", message });
  }
  return join(account, live, identity);
}

function liveSession(account: Account, room: string): SessionRecord | null {
  const last = account.state.get(rooms, roomKey(room));
  const record = last && account.records.get(session, last.session_id);
  return record && expireIfDue(account, session, record).state === "active" ? record : null;
}

function open(account: Account, type: SessionType, room: string, identity: string): SessionRecord {
  const record = account.records.start(session, "open", {
    type,
    room_name: room,
    participants: 1,
    expires_at: account.clock.now() + tokenLifetimeMs,
    duration_seconds: 0,
    cost: 0,
  });
  account.state.put(rooms, roomKey(room), { session_id: record.id });
  addParticipant(account, record, identity);
  return record;
}

function join(account: Account, record: SessionRecord, identity: string): SessionRecord {
  if (addParticipant(account, record, identity)) record.participants++;
  record.expires_at = account.clock.now() + tokenLifetimeMs;
  account.records.retime(session, record);
  return record;
}

/** Registers a participant. Returns false if the identity already has a token for this session. */
function addParticipant({ state, clock }: Account, { id }: SessionRecord, identity: string): boolean {
  const key = `${id}:${identity}`;
  if (state.has(participants, key)) return false;
  state.put(participants, key, { since: clock.iso() });
  return true;
}

// LiveKit access tokens (assumption sessions.token). Signed here because a handler is synchronous and knows the room only
// inside its commit; a test of .ci/judges verifies a token with livekit-server-sdk.

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");

/** Signs a token that is valid from `now` (ms on the account's clock) for its lifetime. */
function signAccessToken(
  { key, secret }: ServiceSettings["livekit"],
  { sub, name, video }: { sub: string; name: string | undefined; video: object },
  now: number,
): string {
  const nbf = Math.floor(now / second);
  const claims = { iss: key, sub, name, nbf, exp: nbf + tokenLifetimeMs / second, video };
  const unsigned = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${unsigned}.${createHmac("sha256", secret).update(unsigned).digest("base64url")}`;
}

function grantsFor(room: string, type: SessionType, role: Role) {
  const isPublisher = role === "publisher";
  return {
    room,
    roomJoin: true,
    canPublish: isPublisher,
    canSubscribe: true,
    canPublishData: isPublisher,
    // A list of sources overrides canPublish, so a viewer must not have one.
    ...(isPublisher && type === "voice" ? { canPublishSources: ["microphone"] } : {}),
  };
}

export const createStreamingToken = operation({
  id: "createStreamingToken",
  route: "POST /v1/streaming/{session_type}/token",
  summary: "Issue an access token for a room",
  description: "Sessions are billed per participant-minute when they end; the token itself is free.",
  auth: "key",
  params: Type.Object({ session_type: SessionType }),
  body: TokenBody,
  reply: { 201: StreamingToken },
  refuses: ["invalid_state", "insufficient_balance"],
  assumptions: ["sessions", "sessions.rooms", "sessions.billing"],

  handle({ account, params, body, settings, decision, refuse }) {
    const { session_type: type } = params;
    const { room_name, identity, display_name, role } = body;
    const session = enterRoom(account, { type, room_name, identity });
    const { cost } = sessionPrice(type);
    // A requested error outcome takes precedence over an empty wallet, as for operations with a price.
    if (!account.wallet.covers(cost) && decision.by === "default") {
      const message = `A minute of this session costs ${formatNaira(cost)}, but the wallet has only ${formatNaira(account.wallet.balance)}; top it up with ${controlRoutes.updateAccount} {"balance": 1000000}.`;
      refuse("insufficient_balance", { message });
    }
    const room = session.room_name;
    const claims = { sub: identity, name: display_name, video: grantsFor(room, type, role) };
    return {
      session_id: session.id,
      room_name: room,
      token: signAccessToken(settings.livekit, claims, account.clock.now()),
      url: settings.livekit.url,
      type,
      expires_in_minutes: tokenLifetimeMs / minute,
      price_per_minute: toNaira(cost),
      currency: "NGN" as const,
      is_test: !account.live,
    };
  },
});

export const listStreamingSessions = operation({
  id: "listStreamingSessions",
  route: "GET /v1/streaming/sessions",
  summary: "List the most recent sessions with their billed cost",
  description: "Most recent first. A session has a cost once it is completed.",
  auth: "key",
  reply: { 200: Type.Array(StreamingSession) },
  assumptions: ["lists"],

  handle: ({ account }) => newestRecords(account, session).map((record) => session.view(record)),
});

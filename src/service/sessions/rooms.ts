/** Rooms: a room name belongs to one session at a time; assumption sessions.rooms. */
import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account/account.js";
import { table } from "../../world/store/table.js";
import { expireIfDue } from "../account-records.js";
import { type SessionRecord, session, tokenLifetimeMs } from "./machine.js";
import type { SessionType } from "./schemas.js";

/** Indexes: the last session of each room, and the identities that have a token for a session. */
const rooms = table<{ session_id: string }>("rooms");
const participants = table<{ since: string }>("session_participants");

/** Key of a room. The prefix protects against room names such as `__proto__`. */
const roomKey = (name: string): string => `room:${name}`;

interface RoomEntry {
  type: SessionType;
  /** A new room is created if omitted. */
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

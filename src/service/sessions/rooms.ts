/** Rooms: a name stands for one session at a time; assumption sessions.rooms. */
import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account.js";
import { type SessionRecord, session, tokenLifetime } from "./machine.js";
import type { SessionType } from "./schemas.js";

/** The last session of each room, and who has a token of which session: found without a walk over them. */
const roomTable = "rooms";
const seatTable = "session_participants";

/** A room may be named like something that every object has. */
const roomKey = (name: string): string => `room:${name}`;

interface Entry {
  type: SessionType;
  /** Absent: a new room. */
  room_name: string | undefined;
  identity: string;
}

/** Inside a commit: the session for which a token is given out, opened by the first one for its room. */
export function enterRoom(account: Account, { type, room_name, identity }: Entry): SessionRecord {
  const live = room_name === undefined ? null : liveSession(account, room_name);
  if (!live) return open(account, type, room_name ?? `room_${account.random.letters(12)}`, identity);
  if (live.type !== type) {
    const message = `The room ${JSON.stringify(live.room_name)} is in use by the ${live.type} session ${live.id}; take another room_name, or ask for a ${live.type} token.`;
    return refuse("invalid_state", { param: "room_name", message });
  }
  return join(account, live, identity);
}

function liveSession(account: Account, room: string): SessionRecord | null {
  const last = account.state.get<{ session_id: string }>(roomTable, roomKey(room));
  const record = last && account.records.get(session, last.session_id);
  if (record?.state !== "active") return null;
  if (account.clock.now() < record.expires_at) return record;
  account.records.move(session, record, "expire");
  return null;
}

function open(account: Account, type: SessionType, room: string, identity: string): SessionRecord {
  const record = account.records.start(session, "open", {
    type,
    room_name: room,
    participants: 1,
    expires_at: account.clock.now() + tokenLifetime,
    duration_seconds: 0,
    cost: 0,
  });
  account.state.put(roomTable, roomKey(room), { session_id: record.id });
  takeSeat(account, record, identity);
  return record;
}

function join(account: Account, record: SessionRecord, identity: string): SessionRecord {
  if (takeSeat(account, record, identity)) record.participants++;
  record.expires_at = account.clock.now() + tokenLifetime;
  account.records.retime(session, record);
  return record;
}

/** False for an identity that has a token of this session already. */
function takeSeat({ state, clock }: Account, { id }: SessionRecord, identity: string): boolean {
  const seat = `${id}:${identity}`;
  if (state.has(seatTable, seat)) return false;
  state.put(seatTable, seat, { since: clock.iso() });
  return true;
}

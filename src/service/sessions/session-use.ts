/** The input of the move `end`: how long a session was used and by how many; assumption sessions.billing. */

import { fromIso, second } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import { inputField, readInteger, readNumber } from "../move-input.js";

/** Larger values are treated as mistakes. The limits are one week, and more people than a room can hold. */
const maxMinutes = 10_080;
const maxParticipants = 100_000;

interface UsedSession {
  created_at: string;
  participants: number;
}

export interface SessionUse {
  seconds: number;
  /** Sum of the started minutes of all participants. */
  participantMinutes: number;
}

/** Reads the input. By default the session was used since it opened, by everyone who has a token. */
export function readUse(input: unknown, session: UsedSession, { clock }: Account): SessionUse {
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

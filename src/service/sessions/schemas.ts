/** Interface: "Real-time session"; assumption sessions. */
import * as Type from "typebox";
import { Currency, exactly, id, naira, Timestamp } from "../../contract/schemas.js";

export const SessionType = Type.Enum(["video", "voice", "stream"], { description: "Kind of room" });
export type SessionType = Type.Static<typeof SessionType>;
export const SessionStatus = Type.Enum(["active", "completed", "expired"], { "x-assumption": "sessions" });
export type SessionStatus = Type.Static<typeof SessionStatus>;
const SessionId = id("cs_");

/** Limit of media servers; assumption sessions.token. */
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
export type Role = Type.Static<typeof TokenBody>["role"];

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

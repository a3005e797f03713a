/** Interface: "Real-time session"; assumption sessions. */
import * as Type from "typebox";
import { Currency, exactly, id, naira, Timestamp } from "../../contract/schemas.js";

export const SessionType = Type.Enum(["video", "voice", "stream"]);
const SessionId = id("cs_");

export const StreamingToken = exactly({
  session_id: SessionId,
  room_name: Type.String(),
  token: Type.String({ description: "A JWT that the media server accepts", "x-assumption": "sessions" }),
  url: Type.String({ format: "uri", description: "Secure websocket address of the media server" }),
  type: SessionType,
  expires_in_minutes: Type.Number(),
  price_per_minute: naira({ description: "NGN for each participant and minute" }),
  currency: Currency,
  is_test: Type.Boolean(),
});

export const StreamingSession = exactly({
  id: SessionId,
  type: SessionType,
  room_name: Type.String(),
  status: Type.Enum(["active", "completed", "expired"], { "x-assumption": "sessions" }),
  duration_seconds: Type.Number(),
  cost: naira({ description: "NGN billed" }),
  currency: Currency,
  created_at: Timestamp,
});

import * as Type from "typebox";
import { operation } from "../operation.js";
import { SessionType, StreamingToken } from "./schemas.js";

export const createStreamingToken = operation({
  id: "createStreamingToken",
  route: "POST /v1/streaming/{session_type}/token",
  summary: "Issue an access token for a room",
  description: "Billed per participant-minute; the token itself is free.",
  auth: "key",
  params: Type.Object({ session_type: SessionType }),
  body: Type.Object({
    room_name: Type.Optional(
      Type.String({ description: "Omit to start a new room; the first token for a name creates its room" }),
    ),
    identity: Type.String({ minLength: 1 }),
    display_name: Type.Optional(Type.String()),
    role: Type.Enum(["publisher", "viewer"], { description: "A publisher sends and receives" }),
  }),
  reply: { 201: StreamingToken },
  assumptions: ["sessions"],
});

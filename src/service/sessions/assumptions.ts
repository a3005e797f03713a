import { type Assumption, facts } from "../../contract/assumptions/assumption.js";
import { controlRoutes } from "../../contract/control-routes.js";

/** Behaviour that the interface leaves open under "Real-time sessions". */
export const sessionRows = [
  {
    id: "sessions",
    question: "Which statuses does a session have, and what are its transitions?",
    default: facts(
      "`active`, `completed` and `expired`.",
      "The first token of a room opens its session as `active`.",
      "The move `end` completes it, as the end of the call would.",
      "A token is valid for 60 minutes; a session that is still active when its last token expires becomes `expired`.",
    ),
    reason: "`completed` is the only observed status; running and abandoned sessions need others.",
  },
  {
    id: "sessions.rooms",
    question: "When does a token belong to an existing session, and when does it open a new one?",
    default: facts(
      "While a room's session is active, every further token for the room name belongs to it.",
      "A token of another type for such a room gets 409 `invalid_state`.",
      "Once the session is completed or expired, the next token for the name opens a new session of any type.",
      "An omitted room name is generated: `room_` and 12 characters.",
    ),
    reason:
      "The interface says that the first token for a room name creates the room, and a room has one price.",
  },
  {
    id: "sessions.billing",
    question: "When is a session billed, and for what?",
    default: facts(
      "Prices per participant-minute: video 5, voice 2, stream 8.",
      "A session is billed when it ends: minutes × participants × price, with minutes rounded up. An expired session costs nothing.",
      `\`${controlRoutes.moveRecord.replace("{move}", "end")} {minutes?, participants?}\` sets how long and by how many participants it was used.`,
      "By default, minutes are the time since it was opened, and participants are the distinct identities that have a token.",
      "Usage is billed in full, even if the wallet becomes negative.",
      "Tokens are free; a wallet that cannot pay for one participant-minute gets 402 `insufficient_balance`.",
      "Until the session ends, `duration_seconds` and `cost` are 0.",
    ),
    reason: "The cost of a call is unknown until it ends, and calls are commonly billed by started minutes.",
  },
  {
    id: "sessions.token",
    question: "What is the token of a session?",
    default: facts(
      "A LiveKit access token: a JWT (HS256) with `iss` (the media server's API key), `sub` (the identity), `name` (the display name), `nbf` and `exp`.",
      "Its `video` grants let a publisher publish, subscribe and send data, and a viewer subscribe; a publisher of a voice room can only publish the microphone.",
      "With `livekit.url`, `.key` and `.secret` in the config, it is valid for your own media server; the defaults are the key and secret of LiveKit's development mode.",
      "Its times follow the account's clock, so a media server, which uses real time, accepts it as long as that clock has not been moved.",
      "Room name, identity and display name have at most 256 characters.",
    ),
    reason: "Room, identity, publisher, viewer and a secure websocket URL are terms of LiveKit.",
  },
] as const satisfies readonly Assumption[];

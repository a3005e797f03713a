import * as Type from "typebox";
import { controlRoutes } from "../../contract/control-routes.js";
import { minute } from "../../time/time.js";
import { formatNaira, toNaira } from "../../world/money/money.js";
import { operation } from "../operation.js";
import { signAccessToken } from "./access-token.js";
import { sessionPrice, tokenLifetimeMs } from "./machine.js";
import { enterRoom } from "./rooms.js";
import { SessionType, StreamingToken, TokenBody } from "./schemas.js";

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
  assumptions: ["sessions", "sessions.rooms", "sessions.billing", "sessions.token"],

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
    const participant = { identity, name: display_name, role, room, type };
    return {
      session_id: session.id,
      room_name: room,
      token: signAccessToken(settings.livekit, participant, account.clock.now(), tokenLifetimeMs),
      url: settings.livekit.url,
      type,
      expires_in_minutes: tokenLifetimeMs / minute,
      price_per_minute: toNaira(cost),
      currency: "NGN" as const,
      is_test: !account.live,
    };
  },
});

/**
 * LiveKit access tokens (assumption sessions.token). Signed here because a handler is synchronous and knows the room only
 * inside its commit; tests verify the tokens with livekit-server-sdk.
 */
import { createHmac } from "node:crypto";
import { second } from "../../time/time.js";
import type { ServiceSettings } from "../operation.js";
import type { Role, SessionType } from "./schemas.js";

export interface Participant {
  identity: string;
  /** Name that other participants see. */
  name: string | undefined;
  role: Role;
  room: string;
  type: SessionType;
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");

/** Signs a token that is valid for `lifetime` ms from `now`, both on the account's clock. */
export function signAccessToken(
  { key, secret }: ServiceSettings["livekit"],
  participant: Participant,
  now: number,
  lifetime: number,
): string {
  const issuedAt = Math.floor(now / second);
  const claims = {
    iss: key,
    sub: participant.identity,
    name: participant.name,
    nbf: issuedAt,
    exp: issuedAt + lifetime / second,
    video: grantsOf(participant),
  };
  const unsigned = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${unsigned}.${createHmac("sha256", secret).update(unsigned).digest("base64url")}`;
}

function grantsOf({ role, room, type }: Participant) {
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

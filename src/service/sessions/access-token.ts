/**
 * LiveKit access tokens (assumption sessions.token). Signed by hand, since a handler is synchronous and knows the room
 * only inside its commit; livekit-server-sdk judges them in the tests.
 */
import { createHmac } from "node:crypto";
import { second } from "../../world/time/time.js";
import type { ServiceSettings } from "../operation.js";
import type { Role, SessionType } from "./schemas.js";

export interface Participant {
  identity: string;
  /** Shown to the others; absent: nothing. */
  name: string | undefined;
  role: Role;
  room: string;
  type: SessionType;
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");

/** Valid for `lifetime` ms from `now`, ms on the account's clock. */
export function accessToken(
  { key, secret }: ServiceSettings["livekit"],
  participant: Participant,
  now: number,
  lifetime: number,
): string {
  const begins = Math.floor(now / second);
  const claims = {
    iss: key,
    sub: participant.identity,
    name: participant.name,
    nbf: begins,
    exp: begins + lifetime / second,
    video: grantsOf(participant),
  };
  const unsigned = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${unsigned}.${createHmac("sha256", secret).update(unsigned).digest("base64url")}`;
}

function grantsOf({ role, room, type }: Participant) {
  const sends = role === "publisher";
  return {
    room,
    roomJoin: true,
    canPublish: sends,
    canSubscribe: true,
    canPublishData: sends,
    // A list of sources counts more than canPublish: a viewer must not have one.
    ...(sends && type === "voice" ? { canPublishSources: ["microphone"] } : {}),
  };
}

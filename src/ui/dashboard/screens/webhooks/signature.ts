/** Checks the signature of an attempt as a receiver should, in the browser. */
import { call } from "../../api/control.js";

export interface SignatureCheck {
  /** Null where the browser cannot compute signatures. */
  isGenuine: boolean | null;
  text: string;
  secret: string;
  sent: string | null;
  expected: string | null;
}

export async function checkSignature(
  endpointId: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<SignatureCheck> {
  const secret = await secretOf(endpointId);
  const sent = headers["X-Service-Signature"] ?? null;
  // Browsers have it on this machine and over HTTPS alone.
  if (!crypto.subtle) {
    return {
      isGenuine: null,
      text: "This browser computes signatures over HTTPS only.",
      secret,
      sent,
      expected: null,
    };
  }
  const expected = await sign(body, secret);
  if (sent === null)
    return { isGenuine: false, text: "It was sent without a signature.", secret, sent, expected };
  const isGenuine = sent === expected;
  const text = isGenuine
    ? "A receiver that computes it gets the same."
    : "A receiver that computes it gets another, and must refuse the delivery.";
  return { isGenuine, text, secret, sent, expected };
}

/** Returns the secret of an endpoint, or the account's if it is none or was removed. */
async function secretOf(endpointId: string): Promise<string> {
  const { items } = await call("listWebhooks");
  return items.find(({ id }) => id === endpointId)?.secret ?? (await call("getAccount")).webhook_secret;
}

async function sign(body: string, secret: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(body)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

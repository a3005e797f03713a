/** Finds out how a webhook is signed: header, prefix, encoding, algorithm and what is signed. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { signatureHeader } from "../../world/webhooks/signature.js";
import type { DriftWebhook } from "../receiver.js";
import type { Facts } from "./check.js";

const algorithms = ["sha256", "sha1", "sha512", "md5"] as const;

/** Encodings of a digest, the documented one first. */
const encodings: Readonly<Record<string, (digest: Buffer) => string>> = {
  "lowercase hexadecimal": (digest) => digest.toString("hex"),
  "uppercase hexadecimal": (digest) => digest.toString("hex").toUpperCase(),
  base64: (digest) => digest.toString("base64"),
  base64url: (digest) => digest.toString("base64url"),
};

/** Returns what a signature may cover: the body, or the body after a timestamp of the headers. */
function signedTexts({ text, headers }: DriftWebhook): string[] {
  const stamps = Object.values(headers).flatMap((value) => /\b\d{10,13}\b/.exec(String(value))?.[0] ?? []);
  return [text, ...stamps.map((stamp) => `${stamp}.${text}`)];
}

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** Key of every signature: the secret of --webhook-secret, or the one that the registration returned. */
export const secretOfEndpoint = "the secret of the endpoint";

/** Returns how the webhook is signed with the secret. */
export function signatureOf(webhook: DriftWebhook, secret: string): Facts {
  const headers = Object.entries(webhook.headers).map(([name, value]) => [name, String(value)] as const);
  for (const [index, text] of signedTexts(webhook).entries())
    for (const algorithm of algorithms)
      for (const [encoding, encode] of Object.entries(encodings)) {
        const signature = encode(createHmac(algorithm, secret).update(text).digest());
        for (const [header, value] of headers) {
          if (!isSame(value.slice(-signature.length), signature)) continue;
          const prefix = value.slice(0, -signature.length);
          return {
            header,
            prefix: prefix.replaceAll(/\d{5,}/g, "N"),
            encoding,
            algorithm: `HMAC-${algorithm.toUpperCase()}`,
            covers: index === 0 ? "the body" : "a timestamp and the body",
            key: secretOfEndpoint,
          };
        }
      }
  return { ...signatureFormOf(webhook), algorithm: null, covers: null, key: "another than this secret" };
}

const hexDigest = /([0-9a-f]{64}|[0-9A-F]{64})$/;

/** Returns what a signature looks like without the secret. */
export function signatureFormOf({ headers }: DriftWebhook): Facts {
  for (const [header, value] of Object.entries(headers)) {
    const digest = hexDigest.exec(String(value))?.[1];
    if (digest === undefined) continue;
    const prefix = String(value)
      .slice(0, -digest.length)
      .replaceAll(/\d{5,}/g, "N");
    const isUpper = /[A-F]/.test(digest);
    return { header, prefix, encoding: `${isUpper ? "uppercase" : "lowercase"} hexadecimal` };
  }
  return { header: "none with 64 hexadecimal digits", prefix: null, encoding: null };
}

export const documentedForm = {
  header: signatureHeader.toLowerCase(),
  prefix: "",
  encoding: "lowercase hexadecimal",
} as const;

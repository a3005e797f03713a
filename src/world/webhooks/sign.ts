/** Signs webhook bodies (interface: "Signature"). */
import { createHmac } from "node:crypto";

/** Returns the lowercase hex HMAC-SHA256 of the body, keyed with the literal secret string. */
export const sign = (body: string | Uint8Array, secret: string): string =>
  createHmac("sha256", secret).update(body).digest("hex");

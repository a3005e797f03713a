/** Forgeries that a receiver must refuse: each differs from the genuine attempt in one thing. */
import type { Tampering } from "../world/outbox/delivery.js";
import type { AttemptRequest } from "./deliver.js";
import { signatureHeader } from "./sign.js";

export function tampered({ headers, body }: AttemptRequest, how: Tampering): AttemptRequest {
  const { [signatureHeader]: signature = "", ...unsigned } = headers;
  switch (how) {
    case "signature":
      return { headers: { ...headers, [signatureHeader]: otherDigit(signature) }, body };
    case "body":
      return { headers, body: otherDigit(body) };
    case "unsigned":
      return { headers: unsigned, body };
  }
}

/** The last decimal digit is another one: JSON stays JSON, and hex stays hex. A signature without any loses its letters. */
const otherDigit = (text: string): string =>
  /\d/.test(text)
    ? text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10))
    : "0".repeat(text.length);

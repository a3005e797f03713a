/** Links a channel to a number of the messaging app and to a website, which gets its `verification` events. */
import { refuse } from "../../contract/errors.js";
import type { Random } from "../../time/random.js";
import { second } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import { relayNameOf } from "../../world/webhooks/relay-url.js";
import { inputField, refuseInput } from "../move-input.js";
import { chatNumberPattern, chatNumberRule } from "../numbers.js";
import { isDeliverable } from "../webhooks/deliverable-url.js";

const chatNumber = new RegExp(chatNumberPattern);

/** Time until a link code expires. */
const linkCodeLifetimeMs = 60 * second;

/** A code that links a number when scanned or typed. */
export interface LinkCode {
  /** Content of the QR code. */
  code: string;
  /** Alternative that is typed in the messaging app. */
  pairing_code: string;
  /** Ms on the account's clock. */
  expires_at: number;
}

export const newLinkCode = ({ random, clock }: Account): LinkCode => ({
  code: random.letters(32),
  pairing_code: random.letters(8).toUpperCase().replace(/^..../, "$&-"),
  expires_at: clock.now() + linkCodeLifetimeMs,
});

/** Returns an unassigned number of a Nigerian mobile network. */
export const inventNumber = (random: Random): string => `234810${random.digits(7)}`;

/** Reads the `phone` that scans the code. Default: the previously linked number, or an invented one. */
export function readPhone(
  input: unknown,
  { phone: previous }: { phone: string | null },
  { random }: Account,
): string {
  const phone = inputField(input, "phone");
  if (phone === undefined) return previous ?? inventNumber(random);
  if (typeof phone === "string" && chatNumber.test(phone)) return phone;
  return refuseInput("phone", chatNumberRule, phone);
}

/** Reads the `url` of the website, which may be that of a relay; null disconnects it. */
export function readWebsite(input: unknown): string | null {
  const url = inputField(input, "url");
  if (url === null || (typeof url === "string" && (isDeliverable(url) || relayNameOf(url) !== null)))
    return url;
  // The URL is not quoted, as it may hold credentials.
  const message =
    "url must be an http or https URL without user name and password, such as http://127.0.0.1:3000/verified, a relay such as relay:laptop, or null.";
  return refuse("validation_error", { param: "url", message });
}

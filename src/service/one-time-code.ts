/** The codes of SMS and messages: drawn, or fixed for tests that cannot read the inbox. */
import type { Account } from "../world/account/account.js";
import { findByMark } from "./people/registry.js";
import { testCodes } from "./test-values.js";

/**
 * Returns the code for a person's phone number in E.164: the code of the test number, of the registered person, or of
 * the account, whichever is the first with this number of digits, or else a drawn code. Call inside a commit.
 */
export function oneTimeCode(account: Account, phone: string, length: number): string {
  // Always drawn, so that a fixed code does not change the ids that follow.
  const drawn = account.random.digits(length);
  const ofPerson = findByMark(account, { kind: "phone", value: phone })?.person.code;
  const fixed = [testCodes.get(phone), ofPerson, account.settings.code];
  return fixed.find((code) => code?.length === length) ?? drawn;
}

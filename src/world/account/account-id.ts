/** Ids of accounts, which follow from their keys, and new keys. */
import { createHash } from "node:crypto";
import { randomHex } from "../../time/random.js";

const base32 = "abcdefghijklmnopqrstuvwxyz234567";

/** Returns the id of a key's account: `acct_` and 16 base 32 characters of SHA-256(key). The key itself is never stored. */
export function accountId(key: string): string {
  const hash = createHash("sha256").update(key).digest();
  let id = "acct_";
  for (let i = 0; i < 10; i += 5) {
    let bits = hash.readUIntBE(i, 5);
    let text = "";
    for (let j = 0; j < 8; j++) {
      text = base32.charAt(bits % 32) + text;
      bits = Math.floor(bits / 32);
    }
    id += text;
  }
  return id;
}

/** Returns whether a text has the form of an account's id. */
export const isAccountId = (text: string): boolean => /^acct_[a-z2-7]{16}$/.test(text);

/** Returns a new random key. `use` is a part of the key that says who uses it, such as `pact_`. */
export const newKey = (mode: "test" | "live" = "test", use = ""): string =>
  `svc_${mode}_${use}${randomHex(12)}`;

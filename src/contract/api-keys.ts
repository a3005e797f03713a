/** API keys: their form (assumption keys), and the ids of accounts, which are derived from them. */

import { createHash } from "node:crypto";

/** The form of API keys; assumption keys. */

/** Texts that a client sends in place of a key when its configuration is wrong, with the explanation for its developer. */
const mistakenKeys: readonly [form: RegExp, describe: (key: string) => string][] = [
  [
    /^(?:undefined|null|none|nil|nan|true|false)$/i,
    (key) => `The key is the text ${key}: the variable that should hold it is not set.`,
  ],
  [/^\[object \w+\]$/, (key) => `The key is the text ${key}: send the key itself, which is a text.`],
  [
    /^(?:<.*>|\{\{.*\}\}|\$\{.*\}|\$\w+|%\w+%|your[_-](?:\w+[_-])?key|(?:api|service)[_-]?key)$/i,
    () => "The key is a placeholder; put an API key in its place.",
  ],
  [/^(["'`]).*\1$/, () => "The key is in quotation marks; send it without them."],
  [/^(?:Bearer|Basic|Token) /i, () => "The header takes the key alone, without a scheme such as Bearer."],
];

export const minKeyLength = 8;
const keyPattern = /^[\x21-\x7e]{8,128}$/;
const liveKeyPattern = /(?:^|[_-])live(?:[_-]|$)/;
const refusedKeyPattern = /_(?:invalid|revoked)$/;

/** End of sentences such as `key must be …`. */
export const keyRule =
  "8 to 128 visible ASCII characters that are no placeholder and do not end in _invalid or _revoked";

export const isLiveKey = (key: string): boolean => liveKeyPattern.test(key);

/** Returns whether a key is always refused, so that clients can test refusals. */
export const isRefusedKey = (key: string): boolean => refusedKeyPattern.test(key);

/** Returns why a key is refused, or null if it is valid. */
export function describeKeyProblem(key: string): string | null {
  for (const [form, describe] of mistakenKeys) if (form.test(key)) return describe(key);
  if (!keyPattern.test(key)) return "An API key has 8 to 128 visible ASCII characters.";
  if (isRefusedKey(key)) return "Keys that end in _invalid or _revoked are refused, so that you can test it.";
  return null;
}

/** Returns whether the key is valid. */
export const isKey = (key: string): boolean => describeKeyProblem(key) === null;

/** Headers and query parameters in which clients send the key by mistake. */
export const misplacedKeys = {
  headers: ["authorization", "x-api-key", "api-key", "apikey", "x-auth-token", "x-service-token"],
  parameters: ["api_key", "apikey", "api-key", "key", "access_token", "x-service-key"],
} as const;

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

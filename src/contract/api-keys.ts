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

export const modeOfKey = (key: string): "test" | "live" => (isLiveKey(key) ? "live" : "test");

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

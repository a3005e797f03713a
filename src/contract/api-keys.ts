/** The form of API keys; assumption keys. */
const keyPattern = /^[\x21-\x7e]{8,128}$/;
const liveKeyPattern = /(?:^|[_-])live(?:[_-]|$)/;
const refusedKeyPattern = /_(?:invalid|revoked)$/;

/** Completes sentences such as `key must be …`. */
export const keyRule = "8 to 128 visible ASCII characters that do not end in _invalid or _revoked";

export const isLiveKey = (key: string): boolean => liveKeyPattern.test(key);

export const isWellFormedKey = (key: string): boolean => keyPattern.test(key);

/** Returns whether the key is one that is always refused, which lets clients test refusals. */
export const isRefusedKey = (key: string): boolean => refusedKeyPattern.test(key);

/** Returns whether the key is valid. */
export const isKey = (key: string): boolean => isWellFormedKey(key) && !isRefusedKey(key);

/** URLs of endpoints whose deliveries go to a tester's listener: `relay:<name>`. */

/** A name has 1 to 64 letters, digits, dots, hyphens and underscores. */
export const relayNamePattern = "[A-Za-z0-9._-]{1,64}";

const form = new RegExp(`^relay:(${relayNamePattern})$`);

/** Returns the name in the URL of a relay, or null for other URLs. */
export const relayNameOf = (url: string): string | null => form.exec(url)?.[1] ?? null;

/** Formats who receives the deliveries of a URL, such as `shop.example:8080` or `relay:listener`. */
export const formatReceiver = (url: string): string => (relayNameOf(url) === null ? new URL(url).host : url);

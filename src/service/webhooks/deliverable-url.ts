/** Longest URL that is taken. */
export const longestUrl = 2048;

/** What a URI is never written with: the rest of the world is percent-encoded in it. */
const foreign = /[^\x21-\x7e]|[<>"{}|\\^`]/;

/** Something can be sent to this URL, and it carries no credentials. */
export function isDeliverable(text: string): boolean {
  if (text.length > longestUrl || foreign.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && hostname !== "" && username === "" && password === "";
}

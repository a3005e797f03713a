export const maxWebhookUrlLength = 2048;

/** Characters that a URI must percent-encode. */
const unencoded = /[^\x21-\x7e]|[<>"{}|\\^`]/;

/** Returns whether webhooks can be sent to this URL: http or https, without credentials. */
export function isDeliverable(text: string): boolean {
  if (text.length > maxWebhookUrlLength || unencoded.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && hostname !== "" && username === "" && password === "";
}

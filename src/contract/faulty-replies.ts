/** Descriptions of the faults of a reply on the connection, by the names that rules use. */
export const faultyReplies = {
  reset_before: "the connection is reset before the request is processed",
  reset_after: "the request is processed, and the connection is reset before the reply",
  reset_during: "the connection is reset in the middle of the reply",
  truncated: "the reply's body is cut off",
  stalled: "the reply's body stops in the middle, and the connection stays open",
  malformed: "the reply is complete, but its body is not JSON",
  trickle: "the reply arrives slowly, in small pieces",
  timeout_after: "the request is processed, and the reply is a provider_timeout (504) that does not say so",
  reordered: "the fields of every object in a JSON reply are in reverse order",
  reversed_lists: "the items of every list in a JSON reply are in reverse order",
} as const;
export type FaultyReply = keyof typeof faultyReplies;

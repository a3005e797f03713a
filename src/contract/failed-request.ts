/** Says why a request got no answer. */

/** Returns the code of the connection's error, such as `ECONNREFUSED`, or else the message of the error. */
export function describeFailedRequest(error: unknown): string {
  const { code, message } = ((error as Error).cause ?? error) as Error & { code?: unknown };
  // An error about all addresses of a name has no message, and a time limit has a number as its code.
  return typeof code === "string" ? code : message;
}

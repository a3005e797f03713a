/** Requests that the proxy answers itself. */
import type { IncomingMessage, ServerResponse } from "node:http";

/** The request is not passed on, or the service did not answer it. */
export class NotPassed extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Answers with an error in the form that clients of the service read. */
export function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message }: NotPassed,
): void {
  const error = { type: "standin_record", code, message: `standin record: ${message}.`, param: null };
  const headers = { "Content-Type": "application/json; charset=utf-8", Connection: "close" };
  response.writeHead(status, headers).end(JSON.stringify({ error: { ...error, details: [] } }));
  // The rest of an upload is read and dropped, so that the client gets the reply.
  request.resume();
}

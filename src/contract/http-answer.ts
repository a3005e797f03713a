/** Waits for the answer to a request of node:http or node:https, and says in words why an answer cannot be used. */
import { lookup as lookUp } from "node:dns";
import { type ClientRequest, type IncomingMessage, maxHeaderSize } from "node:http";
import type { LookupFunction, Socket } from "node:net";

/** Resolves to the final answer, whose body is still to be read. */
export function firstAnswer(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let socket: Socket | null = null;
    let bytesBefore = 0;
    request.once("socket", (used) => {
      socket = used;
      bytesBefore = used.bytesRead;
    });
    request.once("response", resolve);
    // A socket may emit another error after the one that ends the request.
    request.on("error", (error: NodeJS.ErrnoException) => {
      const hasEnded = error.code === "ECONNRESET" || error.code === "EPIPE";
      const isStale = hasEnded && request.reusedSocket && socket?.bytesRead === bytesBefore;
      const reason = toAnswerError(error, false);
      reject(isStale ? new StaleConnection(reason.message) : reason);
    });
    // Node closes a connection that an answer with 101 wants to use for another protocol, without an error.
    request.once("close", () =>
      reject(new Error("the connection was closed, or switched to another protocol, without an answer")),
    );
  });
}

/** Thrown when a reused connection ended without a byte of an answer. */
export class StaleConnection extends Error {}

/** Returns an error of node:http as the delivery log shows it: an answer that cannot be used is described in words. */
export function toAnswerError(error: NodeJS.ErrnoException, hasBegun: boolean): Error {
  const { code = "", message } = error;
  if (code === "HPE_HEADER_OVERFLOW")
    return new Error(`the head of the answer has more than ${maxHeaderSize} bytes`);
  if (code.startsWith("HPE_"))
    return new Error(`the answer is not readable as HTTP: ${message.replace(/^Parse Error: /, "")}`);
  if (code !== "ECONNRESET") return error;
  return new Error(
    hasBegun
      ? "the connection was closed before the end of the answer"
      : "the connection was closed without an answer",
  );
}

/** Resolves a host name. Names below `localhost` are this machine, as in browsers (RFC 6761, 6.3). */
export const lookup: LookupFunction = (hostname, options, callback) =>
  lookUp(/\.localhost\.?$/i.test(hostname) ? "localhost" : hostname, options, callback);

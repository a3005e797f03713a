/** Writes replies that fail on the real socket: reset, truncated, malformed or slow. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { formatFault, type PlannedFault, trickleTime } from "../rules/faults.js";
import { afterTick, delay, timer } from "../time/time.js";
import type { RequestContext } from "./request-context.js";
import { withChanges } from "./waits.js";

type Payload = string | Uint8Array;

/** Time in ms that a client has to read the first half of a reply before the connection is reset. */
const resetDelayMs = 10;

/** Writes a reply as a fault asks. Returns the headers that it has, names and values alternating. */
export function writeFaulty(
  { response, stopping, changedHeaders }: RequestContext,
  fault: PlannedFault,
  status: number,
  headers: readonly string[],
  payload: Payload,
): readonly string[] {
  const bytes = Buffer.from(payload as Uint8Array);
  const half = bytes.subarray(0, bytes.length >> 1);
  if (fault.reply === "reset_after") {
    resetConnection(response);
    return [];
  }
  const all = [...headers, "X-Sandbox-Fault", formatFault(fault)];
  const sent = changedHeaders ? withChanges(all, changedHeaders) : all;
  response.writeHead(status, sent);
  switch (fault.reply) {
    case "reset_during":
      // A client that has not read the first half when the reset arrives sees a connection that was closed properly.
      response.write(half, () => timer(resetDelayMs, () => resetConnection(response)));
      break;
    case "truncated":
      response.write(half, () => response.socket?.destroySoon());
      break;
    case "malformed":
      response.end(spoil(bytes));
      break;
    case "trickle":
      void trickle(response, bytes, trickleTime(fault), stopping);
      break;
    default:
      response.end(bytes);
  }
  return sent;
}

/** Resets the connection when it is this reply's turn: replies to earlier requests on the same connection go first. */
export function resetConnection(response: ServerResponse): void {
  if (response.socket) response.socket.resetAndDestroy();
  else response.once("socket", (socket: Socket) => afterTick(() => socket.resetAndDestroy()));
}

/** Damages a body without changing its length: JSON loses its last bracket, other files get zeros in their second half. */
function spoil(bytes: Buffer): Buffer {
  const last = bytes.length - 1;
  if (bytes[last] === 0x7d || bytes[last] === 0x5d)
    return Buffer.concat([bytes.subarray(0, last), Buffer.from(",")]);
  return Buffer.concat([
    bytes.subarray(0, bytes.length >> 1),
    Buffer.alloc(bytes.length - (bytes.length >> 1)),
  ]);
}

const maxPieces = 20;

async function trickle(
  response: RequestContext["response"],
  bytes: Buffer,
  over: number,
  stopping: AbortSignal | undefined,
): Promise<void> {
  const size = Math.max(1, Math.ceil(bytes.length / maxPieces));
  const pieces = Math.ceil(bytes.length / size);
  for (let piece = 0; piece < pieces && !response.destroyed; piece++) {
    await delay(over / pieces, stopping);
    response.write(bytes.subarray(piece * size, (piece + 1) * size));
  }
  response.end();
}

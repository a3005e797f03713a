/** One request on its way through the pipeline, and what is known of it so far. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Client } from "../contract/client.js";
import type { Decision } from "../contract/operation.js";
import type { Fault } from "../rules/faults.js";
import type { Account } from "../world/account.js";
import { stopwatch } from "../world/time/time.js";
import { ClientGone } from "./body.js";
import type { Mounted, Params } from "./routes.js";

export class Exchange implements Client {
  readonly elapsed = stopwatch();
  readonly path: string;
  readonly search: string;
  mounted: Mounted | null = null;
  params: Params = {};
  account: Account | null = null;
  requestId = "";
  decision: Decision | null = null;
  /** What goes wrong, as a rule asked for it. */
  fault: Fault | null = null;
  /** Aborts when the server stops: what waits on purpose waits no longer. */
  stopping: AbortSignal | undefined = undefined;
  /** The JSON body's text, for the request journal. */
  bodyText: string | null = null;
  /** Headers beside those of every reply. */
  readonly replyHeaders: string[] = [];
  #gone: AbortSignal | null = null;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
  ) {
    const url = request.url as string;
    const mark = url.indexOf("?");
    this.path = mark === -1 ? url : url.slice(0, mark);
    this.search = mark === -1 ? "" : url.slice(mark + 1);
  }

  get method(): string {
    return this.request.method as string;
  }

  /** Few requests ask: it is made for those that do. */
  get gone(): AbortSignal {
    this.#gone ??= whenGone(this.request, this.response);
    return this.#gone;
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }
}

/** The socket knows: a reply that waits for its turn on it has none of its own yet. */
function whenGone({ socket }: IncomingMessage, response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const leave = () => controller.abort(new ClientGone());
  if (socket.destroyed) leave();
  else {
    socket.once("close", leave);
    response.once("finish", () => socket.removeListener("close", leave));
  }
  return controller.signal;
}

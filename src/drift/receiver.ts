/** Receives the webhooks that a service sends during a drift run. */
import { parseJson } from "../contract/json.js";
import { openLocalServer, readRequestBody } from "../contract/local-server.js";
import { delay, second, stopwatch } from "../time/time.js";

export interface DriftWebhook {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The parsed JSON; undefined if it is not JSON. */
  readonly body: unknown;
}

export interface WebhookAnswer {
  /** Default 204. */
  readonly status?: number;
  /** Sends the caller to another path of the receiver. */
  readonly redirects?: boolean;
  /** Never answers. */
  readonly hangs?: boolean;
}

export interface WebhookReceiver {
  /** Address that the service can reach. */
  readonly url: string;
  /** Resolves with the first webhook that matches, even if it arrived earlier. Resolves with null once the wait is over. */
  next(matches: (webhook: DriftWebhook) => boolean, waitMs: number): Promise<DriftWebhook | null>;
  /** Returns the webhooks that match, in the order of their arrival. */
  all(matches: (webhook: DriftWebhook) => boolean): readonly DriftWebhook[];
  /** Sets how the webhooks that match are answered from now on. The others are answered with 204. */
  answer(matches: (webhook: DriftWebhook) => boolean, how: WebhookAnswer): void;
  close(): Promise<void>;
}

const pollIntervalMs = 20;
/** Maximum size of a webhook that is kept, in bytes. */
const maxBytes = 1_000_000;
/** Maximum number of webhooks that are kept; older ones are dropped. */
const maxKept = 1_000;

export interface WebhookReceiverOptions {
  /** Public address that forwards to the port. Default: the address of the port. */
  readonly url?: string;
  /** Default: a free port. */
  readonly port?: number;
}

/** End of the path to which an answer redirects. */
export const redirectedPath = "/redirected";

export async function openWebhookReceiver({
  url,
  port = 0,
}: WebhookReceiverOptions = {}): Promise<WebhookReceiver> {
  const received: DriftWebhook[] = [];
  let answered: { matches(webhook: DriftWebhook): boolean; how: WebhookAnswer } | null = null;
  const server = await openLocalServer(port, async (request, response) => {
    const text = (await readRequestBody(request, maxBytes).catch(() => "")).toString("utf8");
    const { method = "", url: path = "", headers } = request;
    const webhook = { method, path, headers, text, body: parseJson(text) };
    received.push(webhook);
    if (received.length > maxKept) received.shift();
    const { status = 204, redirects = false, hangs = false } = answered?.matches(webhook) ? answered.how : {};
    if (hangs) return;
    if (path.endsWith(redirectedPath)) response.writeHead(204).end();
    else response.writeHead(status, redirects ? { location: `${path}${redirectedPath}` } : {}).end();
  });
  return {
    url: url ?? `${server.url}/webhooks`,
    async next(matches, waitMs) {
      const elapsed = stopwatch();
      for (;;) {
        const found = received.find(matches);
        if (found || elapsed() >= waitMs) return found ?? null;
        await delay(pollIntervalMs);
      }
    },
    all: (matches) => received.filter(matches),
    answer(matches, how) {
      answered = { matches, how };
    },
    close: server.close,
  };
}

/** Minimum time to wait for a webhook, which a service sends after the reply. */
export const webhookWaitMs = 10 * second;

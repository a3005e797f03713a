/**
 * A webhook receiver that a scenario opens: it gives the configured answers and keeps what it received. It listens on a
 * port if the sandbox runs in this process, and otherwise on a relay, since the sandbox may be in a container or on
 * another host.
 */
import { createHmac } from "node:crypto";
import { signatureHeader } from "../../contract/headers.js";
import { jsonOrText } from "../../contract/json.js";
import { openLocalServer, readRequestBody } from "../../contract/local-server.js";
import { type ClientOptions, SandboxClient } from "../client.js";
import { RelayListener } from "../relay-listener.js";

export interface ReceivedWebhook {
  /** The body as received. */
  text: string;
  /** The parsed JSON, or the text if it is not JSON. */
  body: unknown;
  /** Whether X-Service-Signature matches the body. */
  signed: boolean;
}

interface Endpoint {
  id: string;
  secret: string;
}

export interface ScenarioReceiver {
  readonly received: readonly ReceivedWebhook[];
  /** The registered endpoint, as the sandbox returned it. */
  readonly endpoint: Endpoint;
  /** Closes the receiver and removes its endpoint. */
  close(): Promise<void>;
}

/** Keeps a request. Returns the status of the answer. */
type Receive = (body: Buffer, signature: unknown) => number;

interface Opened {
  register(input: { events?: readonly string[] }): Promise<Endpoint>;
  close(): Promise<void>;
}

/**
 * Opens a receiver that answers with these statuses in turn and then repeats the last one, and registers it. Its name, which no
 * other receiver of the account may have, is the name of its relay.
 */
export async function openReceiver(
  connection: ClientOptions,
  name: string,
  answers: readonly number[],
  events: readonly string[] | undefined,
): Promise<ScenarioReceiver> {
  const client = new SandboxClient(connection);
  const received: ReceivedWebhook[] = [];
  let secret = "";
  const receive: Receive = (bytes, signature) => {
    const expected = createHmac("sha256", secret).update(bytes).digest("hex");
    const text = bytes.toString("utf8");
    received.push({ text, body: jsonOrText(text), signed: signature === expected });
    return answers[Math.min(received.length, answers.length) - 1] ?? 204;
  };
  const opened = connection.isInProcess
    ? await openPort(client, receive)
    : await openRelay(client, name, receive);
  const close = async (id: string | null) => {
    // A step may have removed it, or the sandbox may be closed.
    if (id !== null) await client.call("deleteWebhook", { params: { id } }).catch(() => {});
    await opened.close();
  };
  try {
    const endpoint = await opened.register(events ? { events } : {});
    ({ secret } = endpoint);
    return { received, endpoint, close: () => close(endpoint.id) };
  } catch (error) {
    await close(null);
    throw error;
  }
}

async function openPort(client: SandboxClient, receive: Receive): Promise<Opened> {
  const server = await openLocalServer(0, async (request, response) => {
    const body = await readRequestBody(request).catch(() => null);
    // The sandbox has given up the attempt.
    if (body === null) return;
    response.statusCode = receive(body, request.headers[signatureHeader.toLowerCase()]);
    response.end();
  });
  const url = `${server.url}/webhooks`;
  return {
    register: async (input) =>
      (await client.request<Endpoint>("POST", "/v1/webhooks", { body: { url, ...input } })).value,
    close: server.close,
  };
}

async function openRelay(client: SandboxClient, name: string, receive: Receive): Promise<Opened> {
  const stop = new AbortController();
  let onConnected = () => {};
  const connected = new Promise<void>((resolve) => {
    onConnected = resolve;
  });
  const listener = new RelayListener(
    {
      client,
      name,
      id: name,
      answer: async ({ headers, body }) => {
        const status = receive(Buffer.from(body), headers[signatureHeader]);
        return { status, headers: {}, body: "", error: null };
      },
      async prepare() {},
      onConnected,
    },
    stop.signal,
  );
  const running = listener.run();
  // A later failure shows in the attempts of the deliveries.
  const ended = running.catch(() => {});
  await Promise.race([connected, running]);
  return {
    register: async (input) =>
      (await client.call("addWebhook", { body: JSON.stringify({ url: `relay:${name}`, ...input }) })).value,
    async close() {
      await listener.leave().catch(() => {});
      stop.abort();
      await ended;
    },
  };
}

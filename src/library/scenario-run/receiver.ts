/** A webhook receiver that a scenario opens: it gives the configured answers and keeps what it received. */
import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { AccountClient } from "../account-client.js";

export interface ReceivedWebhook {
  /** The body as received. */
  text: string;
  /** The parsed JSON, or the text if it is not JSON. */
  body: unknown;
  /** Whether X-Service-Signature matches the body. */
  signed: boolean;
}

export interface ScenarioReceiver {
  server: Server;
  url: string;
  received: ReceivedWebhook[];
  /** Id of the registered endpoint. Null before the registration. */
  endpoint: string | null;
}

/** Opens a receiver that gives these statuses in turn and then repeats the last one. */
export async function openReceiver(
  answers: readonly number[],
  secret: () => string,
): Promise<ScenarioReceiver> {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const signature = createHmac("sha256", secret()).update(bytes).digest("hex");
      const text = bytes.toString("utf8");
      received.push({
        text,
        body: parse(text),
        signed: request.headers["x-service-signature"] === signature,
      });
      response.statusCode = answers[Math.min(received.length, answers.length) - 1] ?? 204;
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  return { server, url, received, endpoint: null };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Closes the receivers and removes their endpoints. */
export async function closeReceivers(
  account: AccountClient,
  receivers: readonly ScenarioReceiver[],
): Promise<void> {
  for (const { endpoint, server } of receivers) {
    // A step may have removed it, or the sandbox may be closed.
    if (endpoint !== null) await account.webhooks.remove(endpoint).catch(() => {});
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

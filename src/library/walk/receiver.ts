/** A webhook receiver that a scenario opens: it answers as told, and keeps what came. */
import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { SandboxAccount } from "../account.js";

export interface ReceivedWebhook {
  /** As it came. */
  text: string;
  /** The payload's JSON; the text where it is none. */
  body: unknown;
  /** X-Service-Signature is that of the body's bytes. */
  signed: boolean;
}

export interface ScenarioReceiver {
  server: Server;
  url: string;
  received: ReceivedWebhook[];
  /** Its id with the service, once it is registered. */
  endpoint: string | null;
}

/** The last answer stays. */
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

/** The service forgets them too: nobody listens there any more. */
export async function closeReceivers(
  account: SandboxAccount,
  receivers: readonly ScenarioReceiver[],
): Promise<void> {
  for (const { endpoint, server } of receivers) {
    // A step may have removed it, or the sandbox may be gone.
    if (endpoint !== null) await account.webhooks.remove(endpoint).catch(() => {});
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

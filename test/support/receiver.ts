/** A webhook receiver on a real socket, with the deliveries that it has received. */
import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { post } from "./sandbox.js";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  /** The raw bytes. */
  body: Buffer;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Resolves once `count` deliveries have arrived. */
  got(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** `answer` gets the number of the delivery, from 1, and the response, which it ends or leaves open. Port 0 selects a free one. */
export async function startReceiver(
  answer: (count: number, response: ServerResponse, received: Received) => void = (_count, response) =>
    response.end(),
  port = 0,
): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const entry = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) };
      received.push(entry);
      answer(received.length, response, entry);
      for (const check of waiting) check();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    received,
    got: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (received.length < count) return;
          waiting.delete(check);
          resolve(received);
        };
        waiting.add(check);
        check();
      }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export interface RegisteredReceiver extends Receiver {
  secret: string;
}

/** Starts a receiver of an account's events, of all by default, which closes at the end of the test. */
export async function registerReceiver(
  account: SandboxAccount,
  { answer, events }: { answer?: Parameters<typeof startReceiver>[0]; events?: readonly string[] } = {},
): Promise<RegisteredReceiver> {
  const receiver = await startReceiver(answer);
  onTestFinished(receiver.close);
  const { status, body } = await post(account, "/v1/webhooks", { url: receiver.url, events });
  expect(status).toBe(201);
  return { ...receiver, secret: body.secret };
}

/** Returns the signature as a receiver computes it, written from the interface's text alone. */
export const expectedSignature = (body: Buffer, secret: string): string =>
  createHmac("sha256", secret).update(body).digest("hex");

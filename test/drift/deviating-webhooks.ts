/** Stands between a sandbox and the receiver of its webhooks, and changes what passes. */
import { createServer } from "node:http";
import { type Asked, listen } from "./deviating-service.js";

export interface Passing {
  readonly event: string;
  readonly text: string;
  /** Number of the attempt of this event, from 1. */
  readonly attempt: number;
  /** Headers in lower case, which can be changed. */
  headers: Record<string, string>;
}

export type Send = (passing: Passing) => Promise<Response>;

/** Passes a webhook on, or not. Resolves with the status that the sandbox gets. */
export type PassOn = (passing: Passing, send: Send) => Promise<number>;

export const passOn: PassOn = async (passing, send) => (await send(passing)).status;

/** Returns an interceptor of registrations: their webhooks pass through `pass`. */
export async function between(pass: PassOn): Promise<(asked: Asked) => null> {
  let target = "";
  const attempts = new Map<string, number>();
  const send: Send = ({ text, headers }) =>
    fetch(target, { method: "POST", headers, body: text, redirect: "manual" });
  const url = await listen(
    createServer(async (request, response) => {
      const text = Buffer.concat(await request.toArray()).toString();
      const { event, id } = JSON.parse(text) as { event: string; id: string };
      const attempt = (attempts.get(id) ?? 0) + 1;
      attempts.set(id, attempt);
      const headers: Record<string, string> = {};
      for (const name of ["content-type", "x-service-signature"])
        headers[name] = String(request.headers[name]);
      const status = await pass({ event, text, attempt, headers }, send).catch(() => 500);
      response.writeHead(status).end();
    }),
  );
  return ({ route, body }) => {
    // Requests that are only to be refused name other addresses. A query is the probe of webhooks.secret.
    const isReceiver = typeof body?.url === "string" && /^http:\/\/127\.0\.0\.1:[^?]+$/.test(body.url);
    if (route !== "POST /v1/webhooks" || !isReceiver) return null;
    target = body.url;
    body.url = `${url}/webhooks`;
    return null;
  };
}

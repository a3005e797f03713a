/** Stops requests and replies as a rule asks, until a tester releases or drops them. */
import { changeHeaders, type HeaderChanges } from "../contract/headers.js";
import type { AnyOperation } from "../contract/operation.js";
import { Answer, Binary, JsonText, Stream } from "../contract/reply-forms.js";
import { redactHeaders } from "../contract/secrets.js";
import type { Account } from "../world/account/account.js";
import type { HeldEnd, HeldExchange } from "../world/account/held.js";
import { Total, usualLimit } from "../world/store/total.js";
import type { RequestContext } from "./request-context.js";

/** Estimated size in bytes of a request that waits, without its body: the socket, the request and the response. */
const waitBytes = 20_000;

/** Requests and replies that rules hold or delay. */
const waits = new Total<AbortController>(
  "requests and replies that rules hold or delay",
  usualLimit,
  (wait) => wait.abort(),
);

/**
 * Waits as a rule asks, with a signal that aborts when the waits of all accounts have reached their total and this one is
 * the oldest. The reply then says so.
 */
export async function waitCounted<T>(
  context: RequestContext,
  reply: unknown,
  wait: (letGo: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = new AbortController();
  const counted = waits.add(end, waitBytes + sizeOfRequest(context) + sizeOfReply(reply));
  try {
    return await wait(end.signal);
  } finally {
    waits.release(counted);
    if (end.signal.aborted)
      context.replyHeaders.push(
        "X-Sandbox-Released",
        "early, because the held and delayed requests of all accounts had reached their total",
      );
  }
}

function sizeOfRequest({ bodyText, files }: RequestContext): number {
  const bytes = Object.values(files).map(({ bytes }) => bytes?.length ?? 0);
  return sizeOfJson(bodyText ?? "") + bytes.reduce((sum, length) => sum + length, 0);
}

function sizeOfReply(reply: unknown): number {
  const body = reply instanceof Answer ? reply.body : reply;
  if (body instanceof Binary) return body.bytes.length;
  if (body instanceof JsonText) return body.pieces.reduce((sum, { length }) => sum + length, 0);
  return body instanceof Stream ? 0 : sizeOfJson(JSON.stringify(body) ?? "");
}

/** Estimated size in bytes of an object or a list in a parsed JSON text, and of each of its members. */
const bytesPerValue = 40;

/** Returns the estimated size of a JSON text together with what it is parsed to. */
function sizeOfJson(text: string): number {
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // A comma, a bracket or a brace.
    if (code === 44 || code === 91 || code === 123) values++;
  }
  return 2 * text.length + bytesPerValue * values;
}

type HeldContent = Pick<HeldExchange, "kind" | "status" | "headers" | "body">;

/** Holds an exchange. Its activity is published before, so that those who follow see that something waits. */
function hold(
  context: RequestContext,
  account: Account,
  content: HeldContent,
  reply?: unknown,
): Promise<HeldEnd> {
  const { activity, method, operation, requestId, shownTarget, gone, stopping } = context;
  if (activity) account.activities.log.publish(activity);
  const exchange = {
    ...content,
    id: requestId,
    rule: activity?.call?.rule ?? null,
    at: account.clock.now(),
    operation: (operation as AnyOperation).id,
    method,
    path: shownTarget,
  };
  const ends = stopping ? [gone, stopping] : [gone];
  return waitCounted(context, reply, (letGo) =>
    account.held.hold(exchange, AbortSignal.any([...ends, letGo])),
  );
}

/** Holds a request before it takes effect. Returns its changed body, undefined for the one that was sent, or null if it was dropped. */
export async function holdRequest(
  context: RequestContext,
  account: Account,
  body: Record<string, unknown>,
): Promise<{ body?: Record<string, unknown> } | null> {
  const headers = redactHeaders(context.request.rawHeaders);
  const end = await hold(context, account, { kind: "request", status: null, headers, body });
  if (end.isDropped) return null;
  const { body: changed } = end.changes;
  return changed === undefined ? {} : { body: changed as Record<string, unknown> };
}

const isJsonBody = (body: unknown): boolean => !(body instanceof Binary || body instanceof Stream);

/** Holds a reply. Resolves to the status and body to send, and notes changed headers in the context. */
export async function holdReply(
  context: RequestContext,
  status: number,
  body: unknown,
): Promise<{ status: number; body: unknown }> {
  const account = context.account as Account;
  const headers = Object.fromEntries(pairsOf(context.replyHeaders));
  const json = isJsonBody(body) ? body : null;
  const end = await hold(context, account, { kind: "reply", status, headers, body: json }, body);
  if (end.isDropped) {
    context.fault = { ...context.fault, reply: "reset_after" };
    return { status, body };
  }
  const { changes } = end;
  if (changes.headers) context.changedHeaders = changes.headers;
  return {
    status: changes.status ?? status,
    body: changes.body === undefined ? body : toBody(changes.body),
  };
}

/** A string is sent as it is. */
const toBody = (changed: unknown): unknown =>
  typeof changed === "string" ? new JsonText([Buffer.from(changed)]) : changed;

function* pairsOf(list: readonly string[]): Generator<[name: string, value: string]> {
  for (let at = 0; at < list.length; at += 2) yield [list[at] as string, list[at + 1] as string];
}

/** Returns headers (names and values, alternating) with changes. */
export const withChanges = (headers: readonly string[], changes: HeaderChanges): string[] =>
  changeHeaders(pairsOf(headers), changes).flat();

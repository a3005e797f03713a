/** Stops requests and replies as a rule asks, until a tester releases or drops them. */
import { changeHeaders, type HeaderChanges } from "../contract/header-changes.js";
import type { AnyOperation } from "../contract/operation.js";
import { redactHeaders } from "../contract/redact.js";
import { Binary, JsonText, Stream } from "../contract/reply-forms.js";
import type { Account } from "../world/account/account.js";
import type { HeldEnd, HeldExchange } from "../world/account/held.js";
import type { RequestContext } from "./request-context.js";

type Shown = Pick<HeldExchange, "kind" | "status" | "headers" | "body">;

/** Holds an exchange. Its activity is published before, so that those who follow see that something waits. */
function hold(context: RequestContext, account: Account, shown: Shown): Promise<HeldEnd> {
  const { activity, method, operation, requestId, shownTarget, gone, stopping } = context;
  if (activity) account.activities.log.publish(activity);
  const exchange = {
    ...shown,
    id: requestId,
    rule: activity?.call?.rule ?? null,
    at: account.clock.now(),
    operation: (operation as AnyOperation).id,
    method,
    path: shownTarget,
  };
  return account.held.hold(exchange, stopping ? AbortSignal.any([gone, stopping]) : gone);
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

const isShown = (body: unknown): boolean => !(body instanceof Binary || body instanceof Stream);

/** Holds a reply. Resolves to the status and body to send, and notes changed headers in the context. */
export async function holdReply(
  context: RequestContext,
  status: number,
  body: unknown,
): Promise<{ status: number; body: unknown }> {
  const account = context.account as Account;
  const headers = Object.fromEntries(pairsOf(context.replyHeaders));
  const shown = isShown(body) ? body : null;
  const end = await hold(context, account, { kind: "reply", status, headers, body: shown });
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

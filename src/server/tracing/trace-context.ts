/** Ids of traces and spans, and the header `traceparent` that carries them (W3C Trace Context). */
import { createHash } from "node:crypto";
import { type Activity, causesOf } from "../../world/activity/activity.js";

export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

const pattern = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/;

/** Reads the header. Returns null if it is missing or not valid, which counts as missing. */
export function parseTraceparent(header: string | undefined): TraceContext | null {
  const [, traceId = "", spanId = "", flags = ""] = pattern.exec(header ?? "") ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const formatTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;

/** Contexts of activities. Ids of activities repeat in other processes; with another salt, those of spans do not. */
export class TraceContexts {
  constructor(readonly salt: string) {}

  /** Returns the context of an activity: the trace of its root, and a span of its own. */
  of(accountId: string, activity: Activity): TraceContext {
    const root = causesOf(activity)[0] ?? activity;
    const given = parseTraceparent(root.call?.traceparent);
    const rootId = typeof root.cause === "string" ? root.cause : root.id;
    return {
      traceId: given?.traceId ?? this.#hash(accountId, "trace", rootId).slice(0, 32),
      spanId: this.#spanId(accountId, activity.id),
      isSampled: given?.isSampled ?? true,
    };
  }

  /** Returns the id of the span that caused the activity's. Undefined for the first span of a trace. */
  parentOf(accountId: string, { cause, call }: Activity): string | undefined {
    if (cause !== null) return this.#spanId(accountId, typeof cause === "string" ? cause : cause.id);
    return parseTraceparent(call?.traceparent)?.spanId;
  }

  #spanId(accountId: string, activityId: string): string {
    return this.#hash(accountId, "span", activityId).slice(0, 16);
  }

  #hash(...parts: readonly string[]): string {
    return createHash("sha256")
      .update([this.salt, ...parts].join("\0"))
      .digest("hex");
  }
}

/** Ids of traces and spans, and the header `traceparent` that carries them (W3C Trace Context). */
import { createHash } from "node:crypto";
import { randomHex } from "../../time/random.js";
import { type Activity, causeId, causesOf } from "../../world/activity/activity.js";

export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

const pattern = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/;

/** Reads the header. Returns null if it is missing or not valid, which counts as missing. */
export function parseTraceparent(header: string | null): TraceContext | null {
  const [, traceId = "", spanId = "", flags = ""] = pattern.exec(header ?? "") ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const formatTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;

/** Contexts of activities. */
export class TraceContexts {
  /** Ids of activities repeat in other processes; those of spans must not. */
  readonly #salt = randomHex(16);

  /** Returns the context of an activity: the trace of its root, and a span of its own. */
  of(accountId: string, activity: Activity): TraceContext {
    const root = causesOf(activity)[0] ?? activity;
    const given = parseTraceparent(root.traceparent);
    const rootId = causeId(root) ?? root.id;
    return {
      traceId: given?.traceId ?? this.#hash(accountId, "trace", rootId).slice(0, 32),
      spanId: this.#spanId(accountId, activity.id),
      isSampled: given?.isSampled ?? true,
    };
  }

  /** Returns the id of the span that caused the activity's. Undefined for the first span of a trace. */
  parentOf(accountId: string, activity: Activity): string | undefined {
    const cause = causeId(activity);
    return cause === null ? parseTraceparent(activity.traceparent)?.spanId : this.#spanId(accountId, cause);
  }

  #spanId(accountId: string, activityId: string): string {
    return this.#hash(accountId, "span", activityId).slice(0, 16);
  }

  #hash(...parts: readonly string[]): string {
    return createHash("sha256")
      .update([this.#salt, ...parts].join("\0"))
      .digest("hex");
  }
}

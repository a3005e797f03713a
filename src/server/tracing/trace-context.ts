/** Ids of traces and spans, and the headers `traceparent` and `tracestate` that carry them (W3C Trace Context). */
import { createHash } from "node:crypto";
import { randomHex } from "../../time/random.js";
import { type Activity, causeId, causesOf } from "../../world/activity/activity.js";

export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
  /** Header `tracestate`, which belongs to the tools of others and is passed on. Null without one. */
  readonly state: string | null;
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const invalidVersion = "ff";
/** The only version that is known, in which nothing may follow. */
const knownVersion = "00";

/** Reads the headers. Returns null if `traceparent` is missing or not valid, which counts as missing. */
export function parseTrace(trace: { parent: string; state: string | null } | null): TraceContext | null {
  const [, version, traceId = "", spanId = "", flags = "", more] = pattern.exec(trace?.parent ?? "") ?? [];
  if (version === invalidVersion || (version === knownVersion && more !== undefined)) return null;
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return null;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return { traceId, spanId, isSampled, state: parseTracestate(trace?.state ?? "") };
}

const statePattern = /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[ -+\--<>-~]{0,255}[!-+\--<>-~]$/;
const maxStates = 32;

/** Returns the header if its list is valid. One that is not must be left out as a whole. */
function parseTracestate(header: string): string | null {
  const members = header.split(",").map((member) => member.trim());
  const filled = members.filter((member) => member !== "");
  const isValid = filled.length <= maxStates && filled.every((member) => statePattern.test(member));
  return isValid && filled.length > 0 ? header : null;
}

/** Returns the headers with which the receiver of a webhook continues the trace. */
export const traceHeaders = (context: TraceContext): Record<string, string> => ({
  traceparent: formatTraceparent(context),
  ...(context.state === null ? {} : { tracestate: context.state }),
});

const formatTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;

/** Contexts of activities. */
export class TraceContexts {
  /** Ids of activities repeat in other processes; ids of spans must not. */
  readonly #salt = randomHex(16);

  /** Returns the context of an activity: the trace of its root, and a span of its own. */
  of(accountId: string, activity: Activity): TraceContext {
    const root = causesOf(activity)[0] ?? activity;
    const given = parseTrace(root.trace);
    const rootId = causeId(root) ?? root.id;
    return {
      traceId: given?.traceId ?? this.#hash(accountId, "trace", rootId).slice(0, 32),
      spanId: this.#spanId(accountId, activity.id),
      isSampled: given?.isSampled ?? true,
      state: given?.state ?? null,
    };
  }

  /** Returns the id of the span that caused the activity's. Undefined for the first span of a trace. */
  parentOf(accountId: string, activity: Activity): string | undefined {
    const cause = causeId(activity);
    return cause === null ? parseTrace(activity.trace)?.spanId : this.#spanId(accountId, cause);
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

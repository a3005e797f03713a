/** Exports what happens as spans of OpenTelemetry: requests, moves, messages, events, webhook attempts and jobs. */

import { createHash } from "node:crypto";
import { redactAddress } from "../../contract/secrets.js";
import { randomHex } from "../../time/random.js";
import { delay, realNow, second, toIso } from "../../time/time.js";
import { type Activity, causeId, causesOf } from "../../world/activity/activity.js";
import type { createTraceState, ReadableSpan, SpanExporter, SpanKind, SpanStatusCode } from "./otlp.js";

/** The parts of OpenTelemetry's packages that an exporter needs. */
interface Exporting {
  readonly processor: { onEnd(span: ReadableSpan): void; shutdown(): Promise<void> };
  readonly resource: ReadableSpan["resource"];
  readonly kinds: typeof SpanKind;
  readonly codes: typeof SpanStatusCode;
  toState: typeof createTraceState;
}

export interface TracerOptions {
  readonly version: string;
  /** Returns the route of an operation, such as `POST /v1/phone/verify/start`. */
  routeOf(operation: string): string | undefined;
  /** Called once with the reason why spans cannot be exported, as part of a sentence. */
  failed(reason: string): void;
}

/** Time in ms for exporting the last spans when the sandbox stops. */
const closeGraceMs = 1 * second;
/** Maximum length of the path of a span. */
const maxPathLength = 1_024;

/** Flags of a trace that is recorded. */
const traceFlags = 1;

const toHrTime = (ms: number): [number, number] => [
  Math.floor(ms / second),
  Math.round((ms % second) * 1_000_000),
];

class Tracer {
  readonly #contexts = new TraceContexts();
  /** Real times at which attempts began. */
  readonly #begun = new WeakMap<Activity, number>();
  /** Activities that have been exported, because an activity may be published again after its end. */
  readonly #exported = new WeakSet<Activity>();

  constructor(
    readonly exporting: Exporting,
    readonly options: TracerOptions,
  ) {}

  /** Returns the headers with which a webhook attempt continues the trace of its request. */
  headersOf(accountId: string, attempt: Activity): Record<string, string> {
    this.#begun.set(attempt, realNow());
    return traceHeaders(this.#contexts.of(accountId, attempt));
  }

  /** Exports an activity once it has ended. */
  observe(accountId: string, activity: Activity): void {
    const { call } = activity;
    const isOpen = call !== null && call.method !== null && call.duration_ms === null;
    if (isOpen || this.#exported.has(activity)) return;
    this.#exported.add(activity);
    const context = this.#contexts.of(accountId, activity);
    if (context.isSampled) this.exporting.processor.onEnd(this.#toSpan(accountId, activity, context));
  }

  /** Exports the remaining spans, unless the collector takes too long. */
  async close(): Promise<void> {
    const { processor } = this.exporting;
    const isDone = processor.shutdown().then(
      () => true,
      () => true,
    );
    const late = delay(closeGraceMs).then(() => false);
    if (!(await Promise.race([isDone, late])))
      this.options.failed(`the last of them were not taken within ${closeGraceMs / second} s`);
  }

  #toSpan(accountId: string, activity: Activity, { traceId, spanId, state }: TraceContext): ReadableSpan {
    const parent = this.#contexts.parentOf(accountId, activity);
    const end = realNow();
    const start = this.#begun.get(activity) ?? end - (activity.call?.duration_ms ?? 0);
    return {
      name: this.#nameOf(activity),
      kind: this.#kindOf(activity),
      spanContext: () => ({
        traceId,
        spanId,
        traceFlags,
        ...(state === null ? {} : { traceState: this.exporting.toState(state) }),
      }),
      ...(parent ? { parentSpanContext: { traceId, spanId: parent, traceFlags } } : {}),
      startTime: toHrTime(start),
      endTime: toHrTime(end),
      duration: toHrTime(end - start),
      status: this.#statusOf(activity),
      attributes: { "standin.account": accountId, ...attributesOf(activity) },
      resource: this.exporting.resource,
      instrumentationScope: { name: "standin", version: this.options.version },
      ended: true,
      links: [],
      events: [],
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
  }

  /** Returns a name that contains no value of a person or record. */
  #nameOf({ kind, refs, summary, move, attempt }: Activity): string {
    if (attempt) return `webhook ${attempt.event}`;
    if (refs.operation) return this.options.routeOf(refs.operation) ?? refs.operation;
    if (move) return `${refs.machine} ${move.from} → ${move.to} by ${move.name}`;
    return kind === "event" ? summary : kind;
  }

  #kindOf({ call, kind }: Activity) {
    const { kinds } = this.exporting;
    if (call?.method) return kinds.SERVER;
    return kind === "attempt" ? kinds.CLIENT : kinds.INTERNAL;
  }

  #statusOf({ call, attempt }: Activity): ReadableSpan["status"] {
    const { codes } = this.exporting;
    if (attempt?.error) return { code: codes.ERROR, message: attempt.error };
    const hasFailed = attempt ? (attempt.status ?? 0) >= 300 : (call?.status ?? 0) >= 500;
    return { code: hasFailed ? codes.ERROR : codes.UNSET };
  }
}

/** Passes spans on, and reports the first failure. */
function reportingExporter(exporter: SpanExporter, failed: (reason: string) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error) failed(describeFailure(result.error));
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

/** Describes a failure. Errors of node:net have a code, but no message if several addresses were tried. */
const describeFailure = ({ message, code }: Error & { code?: unknown }): string =>
  message || String(code ?? "no reason is known");

/**
 * Creates a tracer. OpenTelemetry's exporter reads the variables OTEL_EXPORTER_OTLP_* itself, and its processor
 * OTEL_BSP_*.
 */
export async function openTracer(given: TracerOptions): Promise<Tracer> {
  let hasFailed = false;
  const options: TracerOptions = {
    ...given,
    failed(reason) {
      if (!hasFailed) given.failed(reason);
      hasFailed = true;
    },
  };
  const otlp = await import("./otlp.js");
  const { BatchSpanProcessor, createTraceState, OTLPTraceExporter, SpanKind, SpanStatusCode } = otlp;
  const { detectResources, envDetector, resourceFromAttributes } = otlp;
  const own = resourceFromAttributes({ "service.name": "standin", "service.version": options.version });
  return new Tracer(
    {
      processor: new BatchSpanProcessor(reportingExporter(new OTLPTraceExporter(), options.failed)),
      resource: own.merge(detectResources({ detectors: [envDetector] })),
      kinds: SpanKind,
      codes: SpanStatusCode,
      toState: createTraceState,
    },
    options,
  );
}

/** Returns the attributes of an activity, named by OpenTelemetry's semantic conventions where they have a name. */
function attributesOf({ id, at, kind, refs, call, attempt }: Activity): ReadableSpan["attributes"] {
  const known: Record<string, string | number | null | undefined> = {
    "standin.activity": id,
    "standin.kind": kind,
    "standin.account_time": toIso(at),
    "standin.operation": refs.operation,
    "standin.record": refs.record,
    "standin.machine": refs.machine,
    "standin.event": refs.event,
    "standin.delivery": refs.delivery,
    "http.request.method": call?.method ?? (attempt ? "POST" : null),
    "http.response.status_code": call?.status ?? attempt?.status,
    "url.path": call?.path?.split("?")[0]?.slice(0, maxPathLength),
    "error.type": call?.error_code,
    "standin.outcome": call?.outcome,
    "standin.decided_by": call?.decided_by,
    "standin.rule": call?.rule,
    "url.full": attempt && redactAddress(attempt.url),
    "standin.attempt": attempt?.number,
  };
  return Object.fromEntries(
    Object.entries(known).filter((entry): entry is [string, string | number] => entry[1] != null),
  );
}

export interface TraceContext {
  /** Id of the trace: 32 hex digits. */
  readonly traceId: string;
  /** Id of the span: 16 hex digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
  /** Header `tracestate`, which belongs to other tools and is passed on. Null if there is none. */
  readonly state: string | null;
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const invalidVersion = "ff";
/** The only known version of `traceparent`. In it, no further fields may follow. */
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

/** Returns the header if its list is valid. An invalid list must be left out as a whole. */
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
  /** Salt of the ids of spans, which, unlike ids of activities, must not repeat in other processes. */
  readonly #salt = randomHex(16);

  /** Returns the context of an activity: the trace of its root, and its own span. */
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

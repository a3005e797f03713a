/** Exports what happens as spans of OpenTelemetry: requests, moves, messages, events, webhook attempts and jobs. */
import { redactAddress } from "../../contract/redact.js";
import { realNow, second, toIso } from "../../time/time.js";
import type { Activity } from "../../world/activity/activity.js";
import type { ReadableSpan, SpanKind, SpanStatusCode } from "./otlp.js";
import { formatTraceparent, type TraceContext, TraceContexts } from "./trace-context.js";

/** The parts of OpenTelemetry's packages that an exporter needs. */
interface Exporting {
  readonly processor: { onEnd(span: ReadableSpan): void; shutdown(): Promise<void> };
  readonly resource: ReadableSpan["resource"];
  readonly kinds: typeof SpanKind;
  readonly codes: typeof SpanStatusCode;
}

export interface TracerOptions {
  readonly version: string;
  /** Returns the route of an operation, such as `POST /v1/phone/verify/start`. */
  routeOf(operation: string): string | undefined;
}

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
  /** An activity may be published again after its end. */
  readonly #exported = new WeakSet<Activity>();

  constructor(
    readonly exporting: Exporting,
    readonly options: TracerOptions,
  ) {}

  /** Returns the header with which a webhook attempt continues the trace of its request. */
  traceparentOf(accountId: string, attempt: Activity): string {
    this.#begun.set(attempt, realNow());
    return formatTraceparent(this.#contexts.of(accountId, attempt));
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

  /** Exports what is left. */
  close(): Promise<void> {
    return this.exporting.processor.shutdown();
  }

  #toSpan(accountId: string, activity: Activity, { traceId, spanId }: TraceContext): ReadableSpan {
    const parent = this.#contexts.parentOf(accountId, activity);
    const end = realNow();
    const start = this.#begun.get(activity) ?? end - (activity.call?.duration_ms ?? 0);
    return {
      name: this.#nameOf(activity),
      kind: this.#kindOf(activity),
      spanContext: () => ({ traceId, spanId, traceFlags }),
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
  #nameOf({ kind, refs, summary, attempt }: Activity): string {
    if (attempt) return `webhook ${attempt.event}`;
    if (refs.operation) return this.options.routeOf(refs.operation) ?? refs.operation;
    return kind === "move" || kind === "event" ? summary : kind;
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

/** The exporter reads the variables OTEL_EXPORTER_OTLP_* itself, the processor OTEL_BSP_*. */
export async function openTracer(options: TracerOptions): Promise<Tracer> {
  const otlp = await import("./otlp.js");
  const { BatchSpanProcessor, OTLPTraceExporter, SpanKind, SpanStatusCode } = otlp;
  const { detectResources, envDetector, resourceFromAttributes } = otlp;
  const own = resourceFromAttributes({ "service.name": "standin", "service.version": options.version });
  return new Tracer(
    {
      processor: new BatchSpanProcessor(new OTLPTraceExporter()),
      resource: own.merge(detectResources({ detectors: [envDetector] })),
      kinds: SpanKind,
      codes: SpanStatusCode,
    },
    options,
  );
}

/** Returns what is known, under the names of the semantic conventions where these have one. */
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
    "url.path": call?.path?.split("?")[0],
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

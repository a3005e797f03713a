/** Exports what happens as spans of OpenTelemetry: requests, moves, messages, events, webhook attempts and jobs. */
import { redactAddress } from "../../contract/redact.js";
import { realNow, second, toIso } from "../../time/time.js";
import type { Activity } from "../../world/activity/activity.js";
import type { ReadableSpan } from "./otlp.js";
import { formatTraceparent, TraceContexts } from "./trace-context.js";

type Otlp = typeof import("./otlp.js");

export interface TracerOptions {
  readonly version: string;
  /** Random text of this process. */
  readonly salt: string;
  /** Returns the route of an operation, such as `POST /v1/phone/verify/start`. */
  routeOf(operation: string): string | undefined;
}

const toHrTime = (ms: number): [number, number] => [
  Math.floor(ms / second),
  Math.round((ms % second) * 1_000_000),
];

export class Tracer {
  readonly #contexts: TraceContexts;
  readonly #processor: InstanceType<Otlp["BatchSpanProcessor"]>;
  readonly #resource: ReadableSpan["resource"];
  /** Real times at which attempts began. */
  readonly #begun = new WeakMap<Activity, number>();
  /** An activity may be published again after its end. */
  readonly #exported = new WeakSet<Activity>();

  /** The exporter reads the variables OTEL_EXPORTER_OTLP_* itself, the processor OTEL_BSP_*. */
  constructor(
    readonly otlp: Otlp,
    readonly options: TracerOptions,
  ) {
    this.#contexts = new TraceContexts(options.salt);
    this.#processor = new otlp.BatchSpanProcessor(new otlp.OTLPTraceExporter());
    this.#resource = otlp
      .resourceFromAttributes({ "service.name": "standin", "service.version": options.version })
      .merge(otlp.detectResources({ detectors: [otlp.envDetector] }));
  }

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
    if (this.#contexts.of(accountId, activity).isSampled)
      this.#processor.onEnd(this.#toSpan(accountId, activity));
  }

  /** Exports what is left. */
  close(): Promise<void> {
    return this.#processor.shutdown();
  }

  #toSpan(accountId: string, activity: Activity): ReadableSpan {
    const { traceId, spanId } = this.#contexts.of(accountId, activity);
    const parent = this.#contexts.parentOf(accountId, activity);
    const end = realNow();
    const start = this.#begun.get(activity) ?? end - (activity.call?.duration_ms ?? 0);
    const traceFlags = this.otlp.TraceFlags.SAMPLED;
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
      resource: this.#resource,
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
    const { SpanKind } = this.otlp;
    if (call?.method) return SpanKind.SERVER;
    if (kind === "attempt") return SpanKind.CLIENT;
    return SpanKind.INTERNAL;
  }

  #statusOf({ call, attempt }: Activity): ReadableSpan["status"] {
    const { SpanStatusCode } = this.otlp;
    if (attempt?.error) return { code: SpanStatusCode.ERROR, message: attempt.error };
    const hasFailed = attempt ? (attempt.status ?? 0) >= 300 : (call?.status ?? 0) >= 500;
    return { code: hasFailed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET };
  }
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

/** Exports what happens as spans of OpenTelemetry: requests, moves, messages, events, webhook attempts and jobs. */
import { redactAddress } from "../../contract/secrets.js";
import { delay, realNow, second, toIso } from "../../time/time.js";
import type { Activity } from "../../world/activity/activity.js";
import type { createTraceState, ReadableSpan, SpanExporter, SpanKind, SpanStatusCode } from "./otlp.js";
import { type TraceContext, TraceContexts, traceHeaders } from "./trace-context.js";

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
  /** Called once with why spans cannot be exported, as part of a sentence. */
  failed(reason: string): void;
}

/** Time in ms that the last spans may take when the sandbox stops. */
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
  /** An activity may be published again after its end. */
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

  /** Exports what is left, unless the collector takes too long. */
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

/** The errors of node:net have a code, and no message where several addresses were tried. */
const describeFailure = ({ message, code }: Error & { code?: unknown }): string =>
  message || String(code ?? "no reason is known");

/** The exporter reads the variables OTEL_EXPORTER_OTLP_* itself, the processor OTEL_BSP_*. */
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

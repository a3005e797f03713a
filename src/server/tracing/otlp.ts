/** The packages of OpenTelemetry, loaded only where spans are exported. */
export { createTraceState, SpanKind, SpanStatusCode } from "@opentelemetry/api";
export { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
export { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
export { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from "@opentelemetry/sdk-trace-base";

/** Findings of a scan: signals that fired, each with the verdict that it supports. */
import type { MediaSignal, MediaVerdict } from "./machine.js";

export interface MediaFinding {
  supports: Exclude<MediaVerdict, "inconclusive">;
  signal: MediaSignal;
}

/** A signal fires if `measured` is neither empty, null nor false. */
export type SignalRule = readonly [
  measured: string | null | undefined | false,
  supports: MediaFinding["supports"],
  category: string,
  severity: MediaSignal["severity"],
  title: string,
  detail: string,
];

/** Returns the signals that fired, in order. */
export const applyRules = (rules: readonly SignalRule[]): MediaFinding[] =>
  rules.flatMap(([measured, supports, category, severity, title, detail]) =>
    measured ? [{ supports, signal: { category, severity, title, detail, measured } }] : [],
  );

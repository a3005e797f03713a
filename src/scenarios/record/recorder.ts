/** Collects the steps of a recording and what they share: known values, secrets, files, drawn rules, and what was left out. */

import { extname } from "node:path";
import { isObject } from "../../contract/json.js";
import type { AnyOperation } from "../../contract/operation.js";
import { redactAddress } from "../../contract/secrets.js";
import { formatFault } from "../../rules/faults.js";
import type { RuleBody, StageFields } from "../../rules/rule-input.js";
import type { Message } from "../../world/account/inbox.js";
import type { CallFile, CallResult } from "../../world/activity/activity.js";
import type { Delivery } from "../../world/webhooks/delivery.js";
import { standInFor } from "../bundled-scenarios.js";
import type { Step } from "../steps.js";
import { escapeReferences, expectationOf, KnownValues, type NamedStep } from "./expectations.js";
import type { Secrets } from "./secrets.js";
import { decodeBody, type RecordedCall } from "./session-log.js";

export type RecordedStep = Record<string, unknown> & NamedStep;

export class Recorder {
  readonly steps: RecordedStep[] = [];
  readonly known = new KnownValues();
  readonly files: RecordedFiles;
  readonly leftOut = new Set<string>();
  readonly drawnRules = new DrawnRules();
  /** Steps that opened receivers, by the id of the endpoint that each stands for. */
  readonly receivers = new Map<string, RecordedStep>();
  /** Messages that the loaded scenario has sent, by channel and recipient, until a step waits for a later one. */
  readonly sentBefore = new Map<string, Message[]>();
  /** Deliveries of the account, by event id, the oldest first. */
  readonly deliveries = new Map<string, Delivery[]>();
  /** Whether the calls are from before the recording. Only their success is expected. */
  isSetup = false;
  /** Whether the last call was an advance, which may have run retries as well. */
  isAdvancing = false;

  constructor(
    readonly operations: readonly AnyOperation[],
    readonly secrets: Secrets,
    inline: boolean,
  ) {
    this.files = new RecordedFiles(inline);
  }

  add(step: RecordedStep): void {
    if (this.isSetup) step.say ??= "Before the recording.";
    this.steps.push(step);
  }

  /** Adds the step of a call and remembers what its reply made. */
  addCall(step: RecordedStep, name: string, { reply }: Pick<RecordedCall, "reply">): void {
    this.add(step);
    if (reply !== undefined) this.known.learn(step, name, reply);
  }

  leaveOut({ operation, call }: RecordedCall, reason: string): void {
    this.leftOut.add(`a ${operation.id} that answered ${call.status ?? "nothing"}: ${reason}`);
  }

  /** Returns a request's value with references to earlier results, and without secrets. */
  rewrite(value: unknown): unknown {
    this.known.send(value);
    return this.#referTo(value, "");
  }

  /** Returns a path with references to earlier results. */
  rewritePath(path: string): string {
    return path
      .split("/")
      .map((part) => this.known.reference(decodeBody(part)) ?? redactAddress(part, "redacted"))
      .join("/");
  }

  /** Returns what a step expects of a reply, or nothing for calls from before the recording. */
  expect(value: unknown, request: unknown): unknown {
    return this.isSetup
      ? undefined
      : expectationOf(value, { known: this.known, secrets: this.secrets, request });
  }

  #referTo(value: unknown, field: string): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#referTo(item, field));
    if (isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [
          key,
          this.#referTo(inner, field === "licence" && key === "number" ? "licence_number" : key),
        ]),
      );
    if (typeof value === "number") return this.secrets.replaceNumber(field, value);
    if (typeof value !== "string") return value;
    return this.known.reference(value) ?? escapeReferences(this.secrets.replace(field, value));
  }
}

/** Returns the steps in order, each with its keys in the usual order and without undefined values. */
export function* tidySteps(steps: readonly RecordedStep[]): Generator<void, Step[]> {
  const tidy: Step[] = [];
  for (const { say, expect, as, ...others } of steps) {
    const step = { ...(say === undefined ? {} : { say }), ...others, expect, as };
    tidy.push(JSON.parse(JSON.stringify(step)));
    yield;
  }
  return tidy;
}

export interface RecordedFile {
  /** Name of the file beside the scenario. */
  name: string;
  base64: string;
}

/** An upload as a step names it, and the fixture that replaces it, if one does. */
interface UsedFile {
  file: { name: string; fixture: string } | { name: string; base64: string };
  standIn: string | null;
}

/** The uploads of a recording: files beside the scenario or in its steps, or fixtures in place of files that are no longer kept. */
export class RecordedFiles {
  readonly #files = new Map<string, RecordedFile>();

  constructor(readonly inline: boolean) {}

  /** Returns the files beside the scenario in order of their first use. */
  list(): RecordedFile[] {
    return [...this.#files.values()];
  }

  /** Returns null if the file is not kept and no fixture fits. */
  use({ field, filename: name, type, sha256, kept }: CallFile): UsedFile | null {
    if (kept.bytes === null) {
      const fixture = standInFor(field, type ?? "")?.file;
      return fixture === undefined ? null : { file: { name, fixture }, standIn: fixture };
    }
    const base64 = Buffer.from(kept.bytes).toString("base64");
    if (this.inline) return { file: { name, base64 }, standIn: null };
    const fixture = `upload-${sha256.slice(0, 12)}${extname(name).replace(/[^.\w]/g, "")}`;
    this.#files.set(sha256, { name: fixture, base64 });
    return { file: { name, fixture }, standIn: null };
  }
}

const stagesOf = (rule: RuleBody): StageFields[] => [rule, ...(rule.next ?? [])];

/** Returns whether the rule's effects depend on the account's seed. Latency does not count: it changes no result. */
export const isDrawn = (rule: RuleBody): boolean =>
  stagesOf(rule).some(
    ({ probability = 1, webhook }) => probability < 1 || typeof webhook?.delay === "object",
  );

/** Describes a rule that is left out: its subject, and its replacement. */
export const formatLeftOut = (rule: RuleBody): string =>
  stagesOf(rule).some(({ webhook }) => webhook !== undefined)
    ? `a rule on ${rule.on} that draws: webhooks are delivered without its faults`
    : `a rule on ${rule.on} that draws: each request that it decided has a rule of one use in its place`;

/**
 * Rules that draw from the account's seed. A run has another seed, so they are left out of a recording: a rule of one use
 * comes before each call that they affected.
 */
export class DrawnRules {
  readonly #byId = new Map<string, RuleBody>();
  /** Rules of the loaded scenario, whose ids are not known. */
  #ofScenario: readonly RuleBody[] = [];

  add(id: string, rule: RuleBody): void {
    this.#byId.set(id, rule);
  }

  addOfScenario(rules: readonly RuleBody[]): void {
    this.#ofScenario = rules;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Returns a rule of one use that affects the operation as a drawn rule affected this call. Null if none did. */
  standInFor(operation: string, call: CallResult): RuleBody | null {
    if (call.rule === null) return null;
    const own = this.#byId.get(call.rule);
    for (const rule of own ? [own] : this.#ofScenario) {
      const stage = stagesOf(rule).find((candidate) => hasAffected(candidate, call));
      if (!stage) continue;
      const { outcome, fault } = stage;
      const { priority } = rule;
      return {
        on: operation,
        ...(outcome === undefined ? {} : { outcome }),
        ...(fault === undefined ? {} : { fault }),
        ...(priority === undefined ? {} : { priority }),
        times: 1,
      };
    }
    return null;
  }
}

const hasAffected = ({ outcome, fault }: StageFields, call: CallResult): boolean =>
  (outcome !== undefined && call.decided_by === "rule" && call.outcome === outcome) ||
  (fault !== undefined && call.asked_fault === formatFault(fault));

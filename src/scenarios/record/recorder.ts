/** Writes the steps of a recording. What steps share: known values, secrets, files and what was left out. */

import { isObject } from "../../contract/json.js";
import type { AnyOperation } from "../../contract/operation.js";
import { redactAddress } from "../../contract/secrets.js";
import type { Message } from "../../world/account/inbox.js";
import type { Delivery } from "../../world/webhooks/delivery.js";
import type { Step } from "../steps.js";
import { DrawnRules } from "./drawn-rules.js";
import { escapeReferences, expectationOf, KnownValues, type NamedStep } from "./expectations.js";
import { RecordedFiles } from "./recorded-files.js";
import { Secrets } from "./secrets.js";
import { decodeBody, type RecordedCall } from "./session-log.js";

export type RecordedStep = Record<string, unknown> & NamedStep;

export class Recorder {
  readonly steps: RecordedStep[] = [];
  readonly known = new KnownValues();
  readonly files = new RecordedFiles();
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
    readonly secrets = new Secrets(),
  ) {}

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

/** Returns the steps with their keys in the usual order, without undefined values, one after the other. */
export function* tidySteps(steps: readonly RecordedStep[]): Generator<void, Step[]> {
  const tidy: Step[] = [];
  for (const { say, expect, as, ...others } of steps) {
    const step = { ...(say === undefined ? {} : { say }), ...others, expect, as };
    tidy.push(JSON.parse(JSON.stringify(step)));
    yield;
  }
  return tidy;
}

/** Plans scenarios on a service whose clock, records and messages nobody controls: which steps can be played, what they cost, and which scenarios reach many operations. */
import type { AnyOperation } from "../contract/operation.js";
import { matchCall } from "../contract/route.js";
import { toInput } from "../scenarios/actions.js";
import { sectionItems } from "../scenarios/given.js";
import type { Fields } from "../scenarios/given-sections.js";
import { hasReference } from "../scenarios/references.js";
import type { Scenario } from "../scenarios/scenario-file.js";
import { type Step, type StepKind, type StepOf, stepKindOf } from "../scenarios/steps.js";
import { serviceOperations } from "../service/index.js";
import { priceOf } from "../service/prices.js";
import { parseDuration } from "../time/time.js";
import { isAllowed } from "./groups.js";

/** Results of earlier calls, by name. */
export type Scope = Record<string, unknown>;

export interface PlannedCallInput {
  readonly path?: string;
  readonly fields?: Fields;
  readonly query?: Fields;
  readonly files?: StepOf<"call">["files"];
}

export type PlannedStep =
  | {
      readonly kind: "call";
      readonly operation: AnyOperation;
      /** Returns the input with its references still in it. */
      input(scope: Scope): PlannedCallInput;
      /** Name under which later steps find the reply, such as `payout` or `given.payments.0`. */
      readonly as: string | null;
    }
  | { readonly kind: "code"; readonly to: string | null; readonly as: string | null }
  | { readonly kind: "wait"; readonly ms: number };

export interface Undrivable {
  readonly scenario: string;
  /** Place in the scenario, such as `step 3` or `given.payments`. */
  readonly at: string;
  readonly reason: string;
}

export interface PlannedScenario {
  readonly name: string;
  readonly steps: readonly PlannedStep[];
  readonly undrivable: readonly Undrivable[];
  /** Reads a fixture. Default: one of fixtures/files. */
  readFixture?(name: string): Promise<Uint8Array>;
}

/** Means of a run on a real service. */
export interface Means {
  readonly live: boolean;
  readonly waitMs: number;
  readonly readsCodes: boolean;
  readonly hasSessionToken: boolean;
}

/** Why steps of a kind cannot be played on a real service. */
const missingMeans: Readonly<Partial<Record<StepKind, string>>> = {
  webhook: "not played; the probes webhooks.headers and webhooks.payload check webhooks, with --webhook-url",
  receive: "not played; the probes webhooks.headers and webhooks.payload check webhooks, with --webhook-url",
  reply: "not played; the probe identity.defaults checks answers of people, with --reply-cmd",
  pay: "a customer has to pay at the checkout",
  visit: "a person has to open confirm_url",
  move: "only the sandbox moves records by hand",
  record: "only the sandbox shows records",
  control: "only the sandbox has a control API",
};

export function planScenario(name: string, scenario: Scenario, means: Means): PlannedScenario {
  const steps: PlannedStep[] = [];
  const undrivable: Undrivable[] = [];
  const refuse = (at: string, reason: string) => void undrivable.push({ scenario: name, at, reason });
  if (scenario.account === "live" && !means.live) {
    refuse("account", "needs a live key");
    return { name, steps, undrivable };
  }
  if ((scenario.rules ?? []).length > 0) refuse("rules", "only the sandbox has rules");
  for (const { section, at, operation, fields, isSingle, moves } of sectionItems(scenario.given ?? {})) {
    const found = serviceOperations.find(({ id }) => id === operation);
    const problem = found ? problemOf(found, { body: fields({}) }, means) : missingMeans.control;
    if (!found || problem !== undefined) {
      refuse(at, problem ?? "");
      continue;
    }
    const input = (scope: Scope) => ({ fields: fields((scope.given ?? {}) as Fields) });
    steps.push({ kind: "call", operation: found, as: isSingle ? `given.${section}` : at, input });
    if (moves) refuse(at, missingMeans.move ?? "");
  }
  for (const [index, step] of (scenario.steps ?? []).entries()) {
    const planned = planStep(step, means);
    if (typeof planned === "string") refuse(`step ${index + 1}`, planned);
    else steps.push(planned);
  }
  return { name, steps, undrivable };
}

function planStep(step: Step, means: Means): PlannedStep | string {
  const kind = stepKindOf(step) as StepKind;
  const as = step.as ?? null;
  if (kind === "call") return planCall(step as StepOf<"call">, means);
  if (kind === "inbox") {
    const { to } = (step as StepOf<"inbox">).inbox;
    return means.readsCodes ? { kind: "code", to: to ?? null, as } : "needs the message; pass --otp-cmd";
  }
  if (kind === "advance") {
    const { advance } = step as StepOf<"advance">;
    const ms = parseDuration(advance);
    if (ms === null) return "only the sandbox advances its clock to an instant";
    return ms <= means.waitMs ? { kind: "wait", ms } : `time has to pass; pass --wait ${advance}`;
  }
  return missingMeans[kind] ?? "";
}

function planCall(step: StepOf<"call">, means: Means): PlannedStep | string {
  const operation = operationAt(step.call);
  if (!operation) return "the service has no such operation";
  const headers = Object.keys(step.headers ?? {});
  if (headers.length > 0)
    return `only the sandbox reads the ${headers.length === 1 ? "header" : "headers"} ${headers.join(", ")}`;
  const { body, query, files } = step as { body?: Fields; query?: Fields; files?: PlannedCallInput["files"] };
  const problem = problemOf(operation, { body, files }, means);
  if (problem !== undefined) return problem;
  const path = step.call.slice(step.call.indexOf(" ") + 1);
  return {
    kind: "call",
    operation,
    as: step.as ?? null,
    input: () => ({
      path,
      ...(body ? { fields: body } : {}),
      ...(query ? { query } : {}),
      ...(files ? { files } : {}),
    }),
  };
}

export const operationAt = (call: string): AnyOperation | undefined =>
  matchCall(serviceOperations, call)?.operation;

interface GivenCall {
  readonly body?: Fields | undefined;
  readonly files?: StepOf<"call">["files"] | undefined;
}

/** Returns why the operation cannot be called with this input, or undefined if it can. */
function problemOf(
  operation: AnyOperation,
  { body = {}, files = {} }: GivenCall,
  means: Means,
): string | undefined {
  if (!isAllowed(operation.id, means.live)) return `${operation.id} is not called with a live key`;
  if (operation.auth === "session" && !means.hasSessionToken)
    return "needs a token of the dashboard; pass --session-token";
  if ("outcome" in body) return "only the sandbox lets a request choose its outcome";
  const outcome = testOutcome(operation, body, files);
  return outcome === undefined ? undefined : `only in the sandbox does a test value cause ${outcome}`;
}

/** Returns the outcome that a test value of the sandbox selects. References count as ordinary values. */
function testOutcome(operation: AnyOperation, body: Fields, files: NonNullable<GivenCall["files"]>) {
  const named = Object.entries(files).map(([name, { name: filename }]) => [name, { filename }]);
  const input = {
    account: null,
    params: {},
    query: {},
    ...toInput(operation, body),
    files: Object.fromEntries(named),
  };
  try {
    return operation.testValue?.(input as unknown as Parameters<NonNullable<AnyOperation["testValue"]>>[0]);
  } catch {
    // It depends on the account's state, which has no test value unless an earlier call has put it there.
    return undefined;
  }
}

export interface Estimate {
  readonly calls: number;
  /** In naira, at the list price. */
  readonly cost: number;
  /** Time that has to pass in addition to the calls, in ms. */
  readonly passesMs: number;
}

/** Returns the calls of one round, their price and the time that passes. */
export function estimateScenarios(scenarios: readonly PlannedScenario[]): Estimate {
  let calls = 0;
  let cost = 0;
  let passesMs = 0;
  for (const step of scenarios.flatMap(({ steps }) => steps)) {
    if (step.kind === "wait") passesMs += step.ms;
    if (step.kind !== "call") continue;
    calls++;
    cost += priceOfStep(step);
  }
  return { calls, cost, passesMs };
}

function priceOfStep({ operation, input }: PlannedStep & { kind: "call" }): number {
  const { price } = operation;
  if (price === undefined) return 0;
  if (typeof price === "string") return priceOf(price).price;
  const { fields = {}, query = {} } = input({});
  const body = hasReference(fields) ? {} : fields;
  const key = (price as (call: { body: Fields; query: Fields }) => string | null)({ body, query });
  return key === null ? 0 : priceOf(key).price;
}

/** Naira that count as one more step when scenarios are chosen. */
const nairaPerStep = 20;

/**
 * Chooses a few cheap scenarios, greedily, that together reach every operation of the groups that any scenario reaches.
 * `fits` says whether a scenario can be added to the chosen ones.
 */
export function coveringScenarios(
  scenarios: readonly PlannedScenario[],
  isWanted: (operation: AnyOperation) => boolean,
  fits: (chosen: readonly PlannedScenario[], next: PlannedScenario) => boolean,
): PlannedScenario[] {
  const reached = new Set<string>();
  const chosen: PlannedScenario[] = [];
  const gain = (scenario: PlannedScenario) =>
    new Set(wantedIn(scenario, isWanted).filter((id) => !reached.has(id))).size /
    (1 + scenario.steps.length + estimateScenarios([scenario]).cost / nairaPerStep);
  for (;;) {
    const [best] = scenarios.filter((scenario) => fits(chosen, scenario)).sort((a, b) => gain(b) - gain(a));
    if (!best || gain(best) === 0) return chosen;
    chosen.push(best);
    for (const id of wantedIn(best, isWanted)) reached.add(id);
  }
}

const wantedIn = ({ steps }: PlannedScenario, isWanted: (operation: AnyOperation) => boolean): string[] =>
  steps.flatMap((step) => (step.kind === "call" && isWanted(step.operation) ? [step.operation.id] : []));

/**
 * Writes the built-in scenarios as workflows of Arazzo 1.0: each loads its scenario, which empties the account, and makes the
 * calls of its steps. Scenarios with files, receivers or dropped connections are omitted, since Arazzo cannot express them.
 */
import { controlPath, controlPrefix, isControlPath } from "../../contract/control-routes.js";
import { type AnyOperation, pathOf } from "../../contract/operation.js";
import { type MatchedCall, matchCall } from "../../contract/route.js";
import { controlOperations } from "../../control/index.js";
import type { NamedScenario } from "../../scenarios/bundled-scenarios.js";
import { sectionsMade } from "../../scenarios/given.js";
import { hasReference, replaceReferences } from "../../scenarios/references.js";
import type { Scenario } from "../../scenarios/scenario-file.js";
import {
  type ControlCall,
  type Step,
  type StepKind,
  type StepOf,
  stepCalls,
  stepKindOf,
} from "../../scenarios/steps.js";
import { serviceOperations } from "../../service/index.js";
import type { ExportInput } from "./calls.js";

/** A step of a scenario that no workflow can express. */
class Inexpressible extends Error {}

/** A call in place of a step. */
interface Called {
  readonly operation: AnyOperation;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly status?: unknown;
  readonly expected?: unknown;
}

const operations: readonly AnyOperation[] = [...serviceOperations, ...controlOperations];

/** Returns an operation of the service or of the control API. */
const named = (id: string): AnyOperation =>
  operations.find((operation) => operation.id === id) as AnyOperation;

function find(call: string): MatchedCall<AnyOperation> {
  const found = matchCall(operations, call);
  if (!found) throw new Inexpressible(`there is no operation at ${call}`);
  return found;
}

/** Returns a function that makes the call for a step that is a single call of the control API. */
const calling =
  <S extends { expect?: unknown }>(toControlCall: (step: S) => ControlCall) =>
  (step: S): Called => {
    const { id, ...input } = toControlCall(step);
    return { operation: named(id), ...input, expected: step.expect };
  };

/** Returns the calls in place of the steps of each kind. */
const toCall: { readonly [K in StepKind]: (step: StepOf<K>) => Called } = {
  call({ call, query, headers = {}, body, files, session, expect = {} }) {
    if (files || session || expect.failure !== undefined)
      throw new Inexpressible("files, sessions or failures");
    const found = find(call);
    return {
      ...found,
      query: { ...found.query, ...query },
      headers,
      body,
      status: expect.status,
      expected: expect.body,
    };
  },
  advance: calling(stepCalls.advance),
  reply: calling(stepCalls.reply),
  move: calling(stepCalls.move),
  record: calling(stepCalls.record),
  pay: calling(stepCalls.pay),
  visit: calling(stepCalls.visit),
  receive: () => {
    throw new Inexpressible("a receiver");
  },
  webhook({ webhook, expect }) {
    // Deliveries are seen by receivers, which a workflow does not have.
    const { deliveries: _, received: __, ...expected } = (expect ?? {}) as Record<string, unknown>;
    return { operation: named("waitForEvent"), query: { event: webhook }, expected };
  },
  inbox: ({ inbox, expect }) => ({ operation: named("waitForMessage"), query: inbox, expected: expect }),
  control: ({ control, body, expect }) => ({
    ...find(control.replace(" ", ` ${controlPrefix}`)),
    body,
    expected: expect,
  }),
};

/** Returns the call in place of a step. Throws if no workflow can make it. */
function callOf(step: Step): Called {
  if (JSON.stringify(step).includes("$${")) throw new Inexpressible("an escaped reference");
  return (toCall[stepKindOf(step) as StepKind] as (step: Step) => Called)(step);
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly value: unknown;
}

interface Criterion {
  readonly condition: string;
  readonly context?: string;
  readonly type?: "regex";
}

interface WorkflowStep {
  readonly stepId: string;
  readonly description?: string;
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly contentType: string; readonly payload: unknown };
  readonly successCriteria: readonly Criterion[];
  outputs?: Record<string, string>;
}

const bodyRoot = "$response.body#";

/** The steps of a workflow, and the names under which later steps find results. */
class Workflow {
  readonly steps: WorkflowStep[] = [];
  readonly #prefix: string;
  readonly #results = new Map<string, { step: WorkflowStep; pointer: string }>();

  constructor(name: string) {
    // Some tools look steps up in the whole document.
    this.#prefix = name.replaceAll("-", "_");
  }

  /** Adds a step. Later steps find its reply under `as`. */
  add(
    called: Called,
    { as, say, pointer = "" }: { as?: string | undefined; say?: string | undefined; pointer?: string },
  ): void {
    const { operation, params = {}, query = {}, headers = {}, body, status = "/2\\d\\d/", expected } = called;
    const parameters = [
      ...this.#parameters("path", params),
      ...this.#parameters("query", query),
      ...this.#parameters("header", headers),
    ];
    const step: WorkflowStep = {
      stepId: `${this.#prefix}_${this.steps.length}`,
      ...(say ? { description: say } : {}),
      operationId: `$sourceDescriptions.${isControlPath(pathOf(operation)) ? "control" : "service"}.${operation.id}`,
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(body === undefined
        ? {}
        : { requestBody: { contentType: "application/json", payload: this.#filled(body) } }),
      successCriteria: [...this.#criteria("$statusCode", status), ...this.#criteria(bodyRoot, expected)],
    };
    this.steps.push(step);
    if (as !== undefined) this.#results.set(as, { step, pointer });
  }

  #parameters(place: Parameter["in"], values: Readonly<Record<string, unknown>>): Parameter[] {
    return Object.entries(values).map(([name, value]) => ({ name, in: place, value: this.#filled(value) }));
  }

  /** Returns the value with runtime expressions in place of references. */
  #filled(value: unknown): unknown {
    const expressionOf = (path: string) => this.#expressionOf(path);
    return replaceReferences(value, expressionOf, (path) => `{${expressionOf(path)}}`);
  }

  #expressionOf(path: string): string {
    const [name = "", ...keys] = path.trim().split(".");
    if (name === "key") return "$inputs.key";
    const result = this.#results.get(name);
    if (!result) throw new Inexpressible(`the reference ${path}`);
    const output = ["value", ...keys].join("_");
    const { step, pointer } = result;
    step.outputs ??= {};
    step.outputs[output] = [bodyRoot + pointer, ...keys].join("/");
    return `$steps.${step.stepId}.outputs.${output}`;
  }

  /** Returns the conditions on the value at a place. Arrays are compared by their items; their lengths are not compared. */
  #criteria(at: string, expected: unknown): Criterion[] {
    if (expected === undefined) return [];
    if (typeof expected === "object" && expected !== null)
      return Object.entries(expected).flatMap(([key, inner]) => this.#criteria(`${at}/${key}`, inner));
    if (typeof expected !== "string") return [{ condition: `${at} == ${expected}` }];
    if (/^!\/|^<[a-z]+>$/.test(expected)) return [];
    if (/^\/.+\/$/s.test(expected)) {
      if (hasReference(expected)) throw new Inexpressible("a pattern with a reference");
      return [{ context: at, condition: `^(?:${expected.slice(1, -1)})$`, type: "regex" }];
    }
    const value = this.#filled(expected) as string;
    if (hasReference(expected) && !value.startsWith("$")) throw new Inexpressible("a text with a reference");
    return [{ condition: `${at} == ${hasReference(expected) ? value : `'${value.replaceAll("'", "''")}'`}` }];
  }
}

/** Events that the initial state sends, by section: a wait would mistake them for the events of a step. */
const sentByGiven: Readonly<Record<string, readonly string[]>> = {
  virtual_accounts: ["virtual_account.created"],
  payments: ["payment.received", "payment.settled"],
};

function toWorkflow(name: string, scenario: Scenario): object {
  const { description, account = "test", given = {}, steps = [] } = scenario;
  const sent = sectionsMade(given).flatMap((section) => sentByGiven[section] ?? []);
  const workflow = new Workflow(name);
  workflow.add({ operation: named("loadScenario"), params: { name } }, { as: "given", pointer: "/given" });
  for (const step of steps) {
    if ("webhook" in step && sent.includes(step.webhook))
      throw new Inexpressible("an event that the initial state has sent too");
    workflow.add(callOf(step), { as: step.as, say: step.say });
  }
  return {
    workflowId: name,
    summary: scenario.name,
    ...(description ? { description } : {}),
    inputs: { type: "object", properties: { key: { type: "string", default: `svc_${account}_arazzo` } } },
    parameters: [{ name: "X-Service-Key", in: "header", value: "$inputs.key" }],
    steps: workflow.steps,
  };
}

export function toArazzo({ title, baseUrl }: ExportInput, scenarios: readonly NamedScenario[]): object {
  const workflows = scenarios.flatMap(({ name, scenario }) => {
    try {
      return (scenario.steps ?? []).length > 0 ? [toWorkflow(name, scenario)] : [];
    } catch (error) {
      if (error instanceof Inexpressible) return [];
      throw error;
    }
  });
  const source = (name: string, path: string) => ({ name, type: "openapi", url: baseUrl + path });
  return {
    arazzo: "1.0.1",
    info: { title: `${title}: scenarios`, version: "1.0.0" },
    sourceDescriptions: [
      source("service", controlPath("getServiceContract")),
      source("control", controlPath("getControlContract")),
    ],
    workflows,
  };
}

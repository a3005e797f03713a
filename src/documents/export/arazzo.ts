/**
 * Writes the built-in scenarios as workflows of Arazzo 1.0: each loads its scenario, which empties the account, and makes the
 * calls of its steps. Scenarios that Arazzo cannot express are omitted: those with files, receivers or dropped connections.
 */
import { controlPrefix, controlRoutes, isControlPath } from "../../contract/control-routes.js";
import { matchPath } from "../../contract/match-path.js";
import { type AnyOperation, methodOf, pathOf } from "../../contract/operation.js";
import { controlOperations } from "../../control/index.js";
import type { NamedScenario } from "../../scenarios/bundled-scenarios.js";
import { hasReference } from "../../scenarios/references.js";
import type { Scenario } from "../../scenarios/scenario-file.js";
import { type Step, type StepKind, type StepOf, stepKindOf } from "../../scenarios/steps.js";
import { serviceOperations } from "../../service/index.js";
import { toAdvance } from "../../time/time.js";
import type { ExportInput } from "./calls.js";

/** What a scenario does that no workflow can do. */
class Inexpressible extends Error {}

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

const bodyRoot = "$response.body#";

const operations: readonly AnyOperation[] = [...serviceOperations, ...controlOperations];
const named = (id: keyof typeof controlRoutes): AnyOperation =>
  operations.find((operation) => operation.id === id) as AnyOperation;

/** Returns the operation at a method and path, and its path parameters, which may be references. */
function find(method: string, path: string): Pick<Called, "operation" | "params"> {
  for (const operation of operations) {
    const params = methodOf(operation) === method ? matchPath(pathOf(operation), path) : null;
    if (params) return { operation, params };
  }
  throw new Inexpressible(`no operation at ${method} ${path}`);
}

/** Returns the calls in place of the steps of each kind. */
const toCall: { readonly [K in StepKind]: (step: StepOf<K>) => Called } = {
  call({ call, query, headers = {}, body, files, session, expect = {} }) {
    if (files || session || expect.failure !== undefined)
      throw new Inexpressible("files, sessions or failures");
    const [method = "", target = ""] = call.split(" ");
    const [path = "", search = ""] = target.split("?");
    const inPath = Object.fromEntries(new URLSearchParams(search));
    const found = find(method, path);
    return {
      ...found,
      query: { ...inPath, ...query },
      headers,
      body,
      status: expect.status,
      expected: expect.body,
    };
  },
  advance: ({ advance, expect }) => ({
    operation: named("advanceClock"),
    body: toAdvance(advance),
    expected: expect,
  }),
  receive: () => {
    throw new Inexpressible("a receiver");
  },
  webhook({ webhook, expect }) {
    // Deliveries are seen by receivers, which a workflow does not have.
    const { deliveries: _, received: __, ...expected } = (expect ?? {}) as Record<string, unknown>;
    return { operation: named("waitForEvent"), query: { event: webhook }, expected };
  },
  inbox: ({ inbox, expect }) => ({ operation: named("waitForMessage"), query: inbox, expected: expect }),
  reply: ({ reply, expect }) => ({ operation: named("replyAsPerson"), body: reply, expected: expect }),
  pay: ({ pay: { reference, ...body }, expect }) => ({
    operation: named("payCheckout"),
    params: { reference },
    body,
    expected: expect,
  }),
  visit: ({ visit: { id, accuracy_m = 10, ...place }, expect }) => ({
    operation: named("visitAddress"),
    params: { id },
    body: { ...place, accuracy_m },
    expected: expect,
  }),
  move: ({ id, move, with: body = {}, expect }) => ({
    operation: named("moveRecord"),
    params: { id, move },
    body,
    expected: expect,
  }),
  record: ({ record, expect }) => ({
    operation: named("getRecord"),
    params: { id: record },
    expected: expect,
  }),
  control({ control, body, expect }) {
    const [method = "", target = ""] = control.split(" ");
    const [path = "", search = ""] = target.split("?");
    const query = Object.fromEntries(new URLSearchParams(search));
    return { ...find(method, controlPrefix + path), query, body, expected: expect };
  },
};

/** The steps of a workflow, and the names under which later ones find results. */
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
    if (typeof value === "string") {
      if (value.includes("$${")) throw new Inexpressible("an escaped reference");
      const [, alone] = /^\$\{([^{}]+)\}$/.exec(value) ?? [];
      if (alone !== undefined) return this.#expressionOf(alone);
      return value.replaceAll(/\$\{([^{}]+)\}/g, (_, path: string) => `{${this.#expressionOf(path)}}`);
    }
    if (Array.isArray(value)) return value.map((item) => this.#filled(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.#filled(inner)]));
  }

  #expressionOf(path: string): string {
    const [name = "", ...keys] = path.trim().split(".");
    if (name === "key") return "$inputs.key";
    const result = this.#results.get(name);
    if (!result) throw new Inexpressible(`the reference ${path}`);
    const output = ["value", ...keys].join("_");
    const { step, pointer } = result;
    step.outputs ??= {};
    step.outputs[output] = `${bodyRoot}${[pointer, ...keys]
      .filter((key) => key !== "")
      .map((key) => `/${key}`)
      .join("")}`;
    return `$steps.${step.stepId}.outputs.${output}`;
  }

  /** Returns what has to hold at a place. Arrays are compared by their items, and their length is not. */
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

/** Kinds of events that the initial state of a scenario may send, for which a wait would take them. */
const sentByGiven: Readonly<Record<string, readonly string[]>> = {
  payments: ["payment.received", "payment.settled", "virtual_account.created"],
  virtual_accounts: ["virtual_account.created"],
  charges: ["virtual_account.created"],
  payouts: ["payout.requested", "payout.paid"],
  verifications: ["verification.completed"],
};

function toWorkflow(name: string, scenario: Scenario): object {
  const { description, account = "test", given = {}, steps = [] } = scenario;
  const taken = new Set(Object.keys(given).flatMap((section) => sentByGiven[section] ?? []));
  const workflow = new Workflow(name);
  workflow.add({ operation: named("loadScenario"), params: { name } }, { as: "given", pointer: "given" });
  for (const step of steps) {
    const kind = stepKindOf(step) as StepKind;
    if (kind === "webhook" && taken.has((step as StepOf<"webhook">).webhook))
      throw new Inexpressible("an event that the initial state has sent too");
    const called = (toCall[kind] as (step: Step) => Called)(step);
    workflow.add(called, { as: step.as, say: step.say });
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
  const source = (name: string, route: string) => ({
    name,
    type: "openapi",
    url: `${baseUrl}${pathOf({ route: route as "GET /" })}`,
  });
  return {
    arazzo: "1.0.1",
    info: { title: `${title}: scenarios`, version: "1.0.0" },
    sourceDescriptions: [
      source("service", controlRoutes.getServiceContract),
      source("control", controlRoutes.getControlContract),
    ],
    workflows,
  };
}

/** Generated requests over all operations, valid and hostile ones, on accounts in the states that these lead to. */
import { existsSync, readFileSync } from "node:fs";
import { PerformanceObserver } from "node:perf_hooks";
import { afterAll, beforeEach, expect, test } from "vitest";
import { type ControlOperationId, controlPath } from "../../src/contract/control-routes.js";
import { type AnyOperation, methodOf } from "../../src/contract/operation.js";
import { controlOperations } from "../../src/control/index.js";
import { observe } from "../../src/exam/observation.js";
import { planExam } from "../../src/exam/plan/plan.js";
import { createSandboxServer, type SandboxServer } from "../../src/sandbox.js";
import { serviceOperations } from "../../src/service/index.js";
import { Random } from "../../src/time/random.js";
import type { Account } from "../../src/world/account/account.js";
import { field, file, formOf, formType, png } from "../support/forms.js";
import { hostileTexts, hostileValues } from "../support/hostile.js";
import { repetitions } from "../support/repetitions.js";
import { rightFields, targetOf, toBody } from "../support/requests.js";
import { WireClient, type WireRequest } from "../support/wire-client.js";

/** The long run takes one core 20 to 40 minutes. CI sends fewer. */
const count = Number(process.env.STANDIN_GENERATED_REQUESTS ?? repetitions(1_000, 1_000_000));

/** Limit on the CPU time of an event-loop turn. Unlike wall-clock time, other programs do not affect it. */
const maxTurnCpuMs = 200;

const requestsPerAccount = 250;

/** Requests of a test. Each has a sandbox of its own, which limits the memory of a long run. */
const requestsPerSandbox = 50_000;

/** Event streams do not end. */
const isEventStream = ({ reply }: AnyOperation): boolean =>
  Object.values(reply).some((one) => "contentType" in one && one.contentType === "text/event-stream");
const operations = [...serviceOperations, ...controlOperations].filter((one) => !isEventStream(one));

/** These convert files or write whole documents, which takes as long as a hundred other requests, so they are called less often. */
const slow = new Set(
  "getServiceContract getControlContract listScenarios runScenario exportAccount removeBackground convertAudio convertPdfToDocx convertDocxToPdf createStoreAssets".split(
    " ",
  ),
);

/** Each test has its own, so that one which is tried again sends the same requests. */
let random = Random.seeded("");
const chance = (probability: number): boolean => random.fraction() < probability;
const pick = <T>(values: readonly T[]): T => values[random.integer(0, values.length - 1)] as T;

const shortHostileValues = hostileValues.filter((text) => text.length < 1_000);
const shortHostileTexts = hostileTexts.filter((text) => text.length < 1_000);
const durations = ["1s", "1h", "25h", "40d"].map((text) => JSON.stringify(text));
const numbers = ["0", "1", "12", "100", "5000", "99.99", "5000001", "1e3"];

/** Ids, codes and references from replies to the account. */
let known: string[] = [];

/** Objects in whose place a text or a number belongs, and which cannot be made one. */
const hostileObjects = [
  '{"toString":1}',
  '{"valueOf":1,"toString":null}',
  '{"toJSON":1}',
  '{"then":1}',
  '{"length":-1}',
  '{"hasOwnProperty":1}',
  '[{"toString":1}]',
  '{"id":{"toString":1}}',
  '{"__proto__":{"toString":1}}',
];

function fieldValue(name: string, right: string): string {
  if (chance(0.05)) return pick(hostileObjects);
  if (chance(0.75)) return known.length > 0 && /(?:^|_)id$|^reference$|^code$/.test(name) ? id() : right;
  if (chance(0.4)) return pick(chance(0.005) ? hostileValues : shortHostileValues);
  return chance(0.5) ? pick([...numbers, ...durations]) : id();
}

const id = (): string => JSON.stringify(known.length > 0 ? pick(known) : "phv_0");

function fieldsOf(operation: AnyOperation): Record<string, string | undefined> {
  const fields = Object.entries(rightFields(operation)).map(([name, right]) => [
    name,
    // Nothing listens at this URL; a real receiver would have to answer.
    name === "url" && operation.id === "registerWebhook" ? '"http://127.0.0.1:9/"' : fieldValue(name, right),
  ]);
  return Object.fromEntries(fields.filter(() => chance(0.95)));
}

function targetFor(operation: AnyOperation): string {
  const param = chance(0.1) ? pick(shortHostileTexts) : encodeURIComponent(JSON.parse(id()));
  const names = Object.keys(operation.query?.properties ?? {}).filter((name) => name !== "timeout");
  const search = names
    .filter(() => chance(0.3))
    .map((name) => `${name}=${chance(0.5) ? pick(shortHostileTexts) : encodeURIComponent(JSON.parse(id()))}`);
  return targetOf(operation, param, search.join("&"));
}

function outcomeFor({ outcomes = {} }: AnyOperation): Record<string, string> {
  if (chance(0.8)) return {};
  const names = Object.keys(outcomes);
  return { "X-Sandbox-Outcome": chance(0.1) || names.length === 0 ? "none_such" : pick(names) };
}

function pickOperation(): AnyOperation {
  const operation = pick(operations);
  return slow.has(operation.id) && chance(0.98) ? pickOperation() : operation;
}

function requestFor(operation: AnyOperation, credentials: Record<string, string>): WireRequest {
  const head = { method: methodOf(operation), target: targetFor(operation) };
  const headers = { ...credentials, ...outcomeFor(operation) };
  if (operation.upload) {
    const texts = Object.entries(fieldsOf(operation)).map(([name, text]) => field(name, String(text)));
    const files = Object.keys(operation.upload)
      .filter(() => chance(0.9))
      .map((name) => file(name, png, pick(["adaeze.png", "likely_ai.png", "a.pdf"])));
    return { ...head, headers: { ...headers, "Content-Type": formType }, body: formOf([...texts, ...files]) };
  }
  if (!operation.body) return { ...head, headers };
  const body = toBody(fieldsOf(operation));
  return { ...head, headers: { ...headers, "Content-Type": "application/json" }, body };
}

function learnFrom(text: string): void {
  for (const [, value] of text.slice(0, 2_000).matchAll(/"(?:\w*id|reference|code)":"([\w.-]{4,60})"/g))
    if (value !== undefined) known.push(value);
  if (known.length > 200) known = known.slice(-100);
}

/** What is said of an account's traffic, bodies of refused requests included. */
const reports: readonly ControlOperationId[] = [
  "getConduct",
  "listActivity",
  "listRequests",
  "getCoverage",
  "listDeliveries",
  "getLedger",
];

/** Reads the reports of an account. Returns what is wrong with them. */
async function problemsOfReports(headers: Record<string, string>): Promise<string[]> {
  const problems: string[] = [];
  const exports = ["har", "scenario"].map((kind) => controlPath("exportAccount").replace("{kind}", kind));
  for (const target of [...reports.map(controlPath), ...exports]) {
    const { status, text } = await client.send({ method: "GET", target, headers });
    if (status !== 200) problems.push(`${target} ${status}: ${text.slice(0, 300)}`);
    else if (target === controlPath("getConduct") && JSON.parse(text).failed.length > 0)
      problems.push(`${target}: ${JSON.stringify(JSON.parse(text).failed)}`);
  }
  const activities = await client.send({ method: "GET", target: controlPath("listActivity"), headers });
  for (const { id } of JSON.parse(activities.text).items.slice(0, 10)) {
    const { status, text } = await client.send({
      method: "GET",
      target: `${controlPath("listActivity")}/${id}`,
      headers,
    });
    if (status !== 200) problems.push(`explainActivity ${status}: ${text.slice(0, 300)}`);
  }
  return problems;
}

/** Returns what is wrong with that which an exam makes of the accounts, as if a client had sent the requests. */
async function problemsOfExam(): Promise<string[]> {
  const observation = await observe(accounts);
  const plan = planExam(observation, serviceOperations);
  return [
    ...observation.failedRules,
    ...(plan.length > 20 ? [] : [`an exam of ${plan.length} disturbances`]),
  ];
}

let sandbox: SandboxServer;
/** Those of the sandbox that are in memory. */
let accounts: Iterable<Account> = [];
let client: WireClient;
const warnings: string[] = [];

async function openSandbox(): Promise<void> {
  client?.close();
  await sandbox?.close();
  sandbox = await createSandboxServer({ validateReplies: true, warn: (message) => warnings.push(message) });
  sandbox.attach(({ world }) => {
    accounts = world.accounts();
  });
  client = new WireClient(sandbox.app as never);
}

/** Creates an account with a fixed key, so that its ids are the same in every run. */
async function openAccount(): Promise<Record<string, string>> {
  known = [];
  const key = `svc_test_generated_${random.letters(12)}`;
  const request = { method: "POST", target: "/_sandbox/session-token", headers: { "X-Service-Key": key } };
  const { token } = JSON.parse((await client.send(request)).text);
  return { "X-Service-Key": key, Authorization: `Bearer ${token}` };
}

const threadFigures = "/proc/thread-self/schedstat";
const hasThreadFigures = existsSync(threadFigures);

/** Returns the CPU time of this thread or, where the system does not tell, of all threads, which also collect garbage. */
const cpuMs = (): number => {
  if (hasThreadFigures) return Number(readFileSync(threadFigures, "latin1").split(" ")[0]) / 1_000_000;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

interface Span {
  start: number;
  end: number;
}

/** A turn of the event loop. */
interface Turn extends Span {
  cpuMs: number;
  what: string;
}

/**
 * Measures every turn of the event loop until it is stopped, which returns the turns over the limit. Time in which the
 * process collected garbage does not count: it grows with whatever other tests have left in memory.
 */
function watchTurns(describe: () => string): () => Promise<Turn[]> {
  const collections: Span[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      collections.push({ start: startTime, end: startTime + duration });
  });
  observer.observe({ entryTypes: ["gc"] });
  const turns: Turn[] = [];
  let isStopped = false;
  let last = { at: performance.now(), cpu: cpuMs() };
  const turn = () => {
    const now = { at: performance.now(), cpu: cpuMs() };
    if (now.cpu - last.cpu > maxTurnCpuMs)
      turns.push({ start: last.at, end: now.at, cpuMs: now.cpu - last.cpu, what: describe() });
    last = now;
    if (!isStopped) setImmediate(turn);
  };
  setImmediate(turn);
  return async () => {
    isStopped = true;
    // Collections are reported in a later turn.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    observer.disconnect();
    const collecting = ({ start, end }: Span) =>
      collections.reduce(
        (sum, one) => sum + Math.max(0, Math.min(end, one.end) - Math.max(start, one.start)),
        0,
      );
    return turns.filter((one) => one.cpuMs - collecting(one) > maxTurnCpuMs);
  };
}

const describeRequest = ({ method, target, headers, body }: WireRequest): string =>
  `${method} ${target} ${JSON.stringify(headers)} ${String(body ?? "").slice(0, 500)}`;

beforeEach(openSandbox);
afterAll(() => sandbox.close());

test.each(
  Array.from({ length: Math.ceil(count / requestsPerSandbox) }, (_, round) => round * requestsPerSandbox),
)(
  "generated requests from %d on cause no 5xx, no reply off its schema, and no long event-loop turn",
  async (first) => {
    random = Random.seeded("generated requests", String(first));
    const statuses = new Map<number, number>();
    const failures: string[] = [];
    const amount = Math.min(requestsPerSandbox, count - first);
    let sent = 0;
    let inFlight = "";
    let credentials = await openAccount();
    let stop = watchTurns(() => inFlight);
    for (; sent < amount && failures.length < 10; sent++) {
      if (sent % requestsPerAccount === 0) {
        inFlight = "the reports of an account";
        failures.push(...(await problemsOfReports(credentials)));
        credentials = await openAccount();
      }
      // The first call of each operation loads the modules that the sandbox loads on demand. Those turns do not count.
      if (sent === operations.length) {
        await stop();
        stop = watchTurns(() => inFlight);
      }
      const operation = operations[sent] ?? pickOperation();
      const request = requestFor(operation, credentials);
      inFlight = describeRequest(request);
      const { status, text } = await client.send(request);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status < 300) learnFrom(text);
      if (status === 0 || status >= 500)
        failures.push(`${operation.id} ${status}: ${inFlight}: ${text.slice(0, 300)}`);
    }
    inFlight = "the reports of an account";
    failures.push(...(await problemsOfReports(credentials)));
    const slowTurns = await stop();
    failures.push(...(await problemsOfExam()));
    for (const { cpuMs, what } of slowTurns)
      failures.push(`a turn of the loop took ${cpuMs} ms during ${what}`);
    expect(failures).toEqual([]);
    expect(warnings.splice(0)).toEqual([]);
    for (const status of [200, 201, 400, 404, 422]) expect(statuses.get(status) ?? 0).toBeGreaterThan(0);
  },
);

/** Runs the comparison of `standin drift` and writes its results. */

import { exec } from "node:child_process";
import { promisify } from "node:util";
import { isKey, isLiveKey, keyRule, modeOfKey } from "../../contract/api-keys.js";
import { defaultLockFile } from "../../contract/drift-lock.js";
import { costOf } from "../../drift/checks/index.js";
import { type Group, groups } from "../../drift/groups.js";
import { mergeLock, readLock } from "../../drift/lock.js";
import { type DriftPlan, planDrift, singleCalls } from "../../drift/plan-drift.js";
import { type PlannedScenario, planScenario } from "../../drift/plan-scenario.js";
import { openWebhookReceiver, type WebhookReceiver } from "../../drift/receiver.js";
import { type DriftReport, type OwnSandbox, runDrift } from "../../drift/run-drift.js";
import { CouldNotCheck, KeyRefused, ServiceClient } from "../../drift/service-client.js";
import type { CodeRequest, PersonAnswer } from "../../drift/side.js";
import { readBundledScenarios } from "../../scenarios/bundled-scenarios.js";
import { isLoopback } from "../../server/guard.js";
import type { Assumptions } from "../../service/assumptions.js";
import { randomHex } from "../../time/random.js";
import { delay, minute, realNow, second, stopwatch } from "../../time/time.js";
import { newKey } from "../../world/account/account-id.js";
import { assumptionsInForce } from "../assumptions/variations.js";
import { baseUrlOf } from "../connection.js";
import { checkNames, UsageError } from "../errors.js";
import { printResult, problemsOf, writeOutputFile } from "../output/print.js";
import { withProgress } from "../output/progress.js";
import { publish } from "../output/report.js";
import { type Config, defaultConfigFile, readConfig } from "../sandbox-options.js";
import { readSources } from "../scenario/sources.js";
import { startTemporarySandbox } from "../temporary-sandbox.js";
import type { DriftFlags } from "./flags.js";
import { formatPlan, toDriftReport } from "./report.js";

/** An example number of the interface. With test keys, nothing is sent to it. */
const examplePhone = "+2348031234567";
const defaultPaceMs = 150;
const defaultMaxCalls = 900;
/** In naira, at list price. */
const defaultMaxCost = 2_000;
/** Long enough for the first three retries of a webhook. */
export const defaultWaitMs = 45 * second;

export async function runCommand(flags: DriftFlags): Promise<void> {
  const { baseUrl, key } = serviceOf(flags);
  const config = await readConfig(flags.config);
  const inForce = assumptionsInForce(flags, config);
  const { wait: waitMs = defaultWaitMs, maxCalls = defaultMaxCalls, maxCost = defaultMaxCost } = flags;
  const live = isLiveKey(key);
  const scenarios = await planScenarios(flags, live, waitMs);
  const plan = planDrift({
    means: {
      only: selectedGroups(flags),
      live,
      slow: flags.slow ?? false,
      receives: flags.webhookUrl !== undefined,
      maxPassMs: flags.wait ?? Number.POSITIVE_INFINITY,
    },
    scenarios,
    all: flags.scenario !== undefined,
    maxCalls,
    maxCost,
    waitMs,
  });
  if (plan.cost > maxCost)
    throw new UsageError(
      `the calls may cost NGN ${plan.cost} at list price, which is more than --max-cost ${maxCost}`,
    );
  const about = { against: new URL(baseUrl).origin, paceMs: flags.pace ?? defaultPaceMs };
  if (flags.dryRun)
    return printResult(flags, { dry_run: true, ...planView(plan) }, () => formatPlan(plan, about));
  if (!flags.json) process.stderr.write(`${formatPlan(plan, about, { brief: true })}\n\n`);
  const receiver = await receiverFor(flags);
  const means = {
    service: new ServiceClient({
      baseUrl,
      key,
      sessionToken: flags.sessionToken ?? null,
      paceMs: about.paceMs,
      maxCalls,
      sleep: delay,
    }),
    phone: flags.phone ?? examplePhone,
    readCode: flags.otpCmd === undefined ? null : codeReader(flags.otpCmd),
    answer: flags.replyCmd === undefined ? null : replySender(flags.replyCmd),
    receiver,
    webhookSecret: (flags.webhookSecret as string | undefined) ?? null,
    waitMs,
    pass: delay,
    now: stopwatch(),
    reference: () => `standin-drift-${randomHex(8)}`,
  };
  const prefix = `standin-drift-${randomHex(4)}`;
  const startOurs = (assumptions: Assumptions) => startOwnSandbox(flags, config, assumptions);
  try {
    const running = runDrift({ plan, inForce, means, prefix, at: realNow(), startOurs });
    const report = await withProgress(`the service at ${about.against}`, running);
    await finish(report, flags);
  } catch (error) {
    throw error instanceof KeyRefused ? new UsageError(error.message) : error;
  } finally {
    await receiver?.close();
  }
}

function selectedGroups({ only }: DriftFlags): readonly Group[] {
  if (!only) return groups;
  checkNames("--only", "group", only, groups);
  return groups.filter((group) => only.includes(group));
}

function serviceOf({ against, key, iKnowThisCostsMoney }: DriftFlags): { baseUrl: string; key: string } {
  if (against === undefined || key === undefined)
    throw new UsageError("name the service with --against URL and its test key with --key KEY");
  if (!isKey(key)) throw new UsageError(`--key must be ${keyRule}`);
  if (isLiveKey(key) && !iKnowThisCostsMoney)
    throw new UsageError(
      "--key is a live key, whose calls cost money; use a test key, or add --i-know-this-costs-money",
    );
  return { baseUrl: baseUrlOf(against, "--against"), key };
}

async function planScenarios(flags: DriftFlags, live: boolean, waitMs: number): Promise<PlannedScenario[]> {
  const means = {
    live,
    waitMs,
    readsCodes: flags.otpCmd !== undefined,
    hasSessionToken: flags.sessionToken !== undefined,
  };
  if (flags.scenario === undefined)
    return [...(await readBundledScenarios()), ...singleCalls()].map(({ name, scenario }) =>
      planScenario(name, scenario, means),
    );
  return (await readSources(flags.scenario)).map(({ name, scenario, readFixture }) => ({
    ...planScenario(name, scenario, means),
    readFixture,
  }));
}

const planView = ({ probes, checks, untried, groups, scenarios, undrivable, ...total }: DriftPlan) => ({
  calls: total.calls,
  cost: total.cost,
  groups: groups.map(({ group, calls, cost }) => ({ group, calls, cost })),
  assumptions: probes,
  checks: checks.map((check) => ({
    id: check.id,
    about: check.about,
    calls: check.calls,
    cost: costOf(check),
  })),
  not_tried: untried.map(({ check, reason }) => ({ id: check.id, about: check.about, reason })),
  scenarios: scenarios.map(({ name }) => name),
  not_drivable: undrivable,
});

async function startOwnSandbox(
  flags: DriftFlags,
  config: Config,
  assumptions: Assumptions,
): Promise<OwnSandbox> {
  const key = newKey(modeOfKey(flags.key ?? ""), "drift_");
  const { api, close } = await startTemporarySandbox({ flags, config, key, assumptions });
  const sleep = async () => {};
  const { token } = (await api.call("createSessionToken")).value;
  return {
    service: new ServiceClient({
      baseUrl: api.baseUrl,
      key,
      sessionToken: token,
      paceMs: 0,
      maxCalls: Number.POSITIVE_INFINITY,
      sleep,
    }),
    async readCode({ to }) {
      const { value } = await api.call("listMessages", { query: { to, limit: 1 } });
      return value.items[0]?.codes[0] ?? "";
    },
    pass: async (ms) => void (await api.call("advanceClock", { body: { by: `${ms}ms` } })),
    give: async (given) =>
      void (await api.call("playScenario", { body: { name: "the service's account", given } })),
    contract: (await api.call("getServiceContract")).value,
    close,
  };
}

async function finish(report: DriftReport, flags: DriftFlags): Promise<void> {
  const file = flags.lock ?? defaultLockFile;
  const lock = mergeLock(await readLock(file), report);
  await writeOutputFile("the lock file", file, `${JSON.stringify(lock, null, 2)}\n`);
  const problems = flags.writeConfig ? await problemsOf(writeConfig(report, flags)) : [];
  await publish(toDriftReport(report), flags, problems);
}

/** Adds the values that the service contradicts to the config file. */
async function writeConfig({ assumptions }: DriftReport, flags: DriftFlags): Promise<void> {
  const contradicted = assumptions.filter(({ verdict }) => verdict === "contradicted");
  if (contradicted.length === 0) return;
  const file = flags.config ?? defaultConfigFile;
  const config = await readConfig(flags.config);
  const observed = Object.fromEntries(contradicted.map(({ assumption, observed }) => [assumption, observed]));
  const changed = { ...config, assumptions: { ...config.assumptions, ...observed } };
  await writeOutputFile("the config", file, `${JSON.stringify(changed, null, 2)}\n`);
}

const commandTimeoutMs = 5 * minute;

/** Runs a command in the shell and returns its output. The error omits the output, which may hold a code. */
async function run(flag: string, command: string, env: Readonly<Record<string, string>>): Promise<string> {
  try {
    const options = { env: { ...process.env, ...env }, timeout: commandTimeoutMs };
    return (await promisify(exec)(command, options)).stdout;
  } catch (error) {
    const { code, killed } = error as { code?: number | string; killed?: boolean };
    throw new CouldNotCheck(`the command of ${flag} failed (${killed ? "timeout" : `exit code ${code}`})`);
  }
}

const codeReader =
  (command: string) =>
  async ({ id, to }: CodeRequest): Promise<string> => {
    const output = await run("--otp-cmd", command, { STANDIN_DRIFT_ID: id, STANDIN_DRIFT_TO: to });
    const code = /(?<!\d)\d{4,8}(?!\d)/.exec(output)?.[0];
    if (code === undefined)
      throw new CouldNotCheck("the command of --otp-cmd printed no code of 4 to 8 digits");
    return code;
  };

const replySender =
  (command: string) =>
  async ({ channel, from, text }: PersonAnswer): Promise<void> =>
    void (await run("--reply-cmd", command, {
      STANDIN_DRIFT_CHANNEL: channel,
      STANDIN_DRIFT_FROM: from,
      STANDIN_DRIFT_TEXT: text,
    }));

async function receiverFor({ webhookUrl, webhookPort }: DriftFlags): Promise<WebhookReceiver | null> {
  if (webhookUrl === undefined) {
    if (webhookPort !== undefined) throw new UsageError("--webhook-port requires --webhook-url");
    return null;
  }
  if (!URL.canParse(webhookUrl) || !/^https?:/.test(webhookUrl))
    throw new UsageError("--webhook-url must be an http or https URL");
  const { hostname, port: own } = new URL(webhookUrl);
  if (webhookPort === undefined && !isLoopback(hostname))
    throw new UsageError(
      "--webhook-url requires --webhook-port, the port of this machine that it forwards to",
    );
  const port = webhookPort ?? Number(own || 80);
  return openWebhookReceiver({ url: webhookUrl, port }).catch((error: Error) => {
    throw new UsageError(`webhooks cannot be received on port ${port}: ${error.message}`);
  });
}

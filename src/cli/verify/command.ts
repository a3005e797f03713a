/** `standin verify`: verifies Pact consumer contracts against a sandbox in this process. */
import type { Command } from "commander";
import { NotInstalled } from "../../contract/optional-packages.js";
import { describeStates } from "../../pact/provider-states/provider-states.js";
import { Gateway, statePath } from "../../pact/verify/gateway.js";
import type { InteractionResult } from "../../pact/verify/interaction-results.js";
import { type PactFile, readPacts } from "../../pact/verify/pact-file.js";
import type { PactReport, VerifyOptions } from "../../pact/verify/verify-pacts.js";
import { serviceOperations } from "../../service/index.js";
import { newKey } from "../../world/account/account-id.js";
import { topCommand } from "../command-list.js";
import { CommandError, formatExitCodes, printError, UsageError } from "../errors.js";
import { type FlagsOf, flagTable, withFlags } from "../flags.js";
import { colors, formatCount, formatTable, printResult, toOneLine } from "../output/print.js";
import { withProgress } from "../output/progress.js";
import {
  outputs,
  publish,
  type Report,
  type ReportFlags,
  type ReportRow,
  reportOptions,
} from "../output/report.js";
import { behaviour, portFlag, readConfig, type SandboxFlags } from "../sandbox-options.js";
import { untilStopped } from "../signals.js";
import { type BrokerFlags, brokerOptions, brokerOptionsOf, tokenOf } from "./broker.js";

const notes = `Every interaction gets a new account, whatever API key is in the pact, and its provider states are set up there.
Messages are webhooks: the description of a message names the event, such as "a payout.paid event".`;

const exitHelp = formatExitCodes({
  passed: "all interactions are verified",
  failed: "an interaction or the verifier failed",
  couldNotRun: "the command line is invalid, a source is not a pact, or the Pact verifier is not installed",
  notTried: "nothing failed, and there are no interactions, or none in one of the pacts",
});

const examples = [
  "standin verify pacts/shop-service.json",
  "standin verify pacts/ --junit pacts.xml --markdown summary.md",
  "standin verify https://broker.example/pacts/provider/service/consumer/shop/latest --token $TOKEN",
  "standin verify --broker-url https://broker.example --provider service --provider-branch main --enable-pending",
  "standin verify --states",
];

const served = flagTable("Options:", [
  ["--states", "list the provider states with their parameters and values"],
  ["--serve", "serve the provider to another Pact verifier until Ctrl+C"],
  portFlag(" for --serve"),
]);

type Flags = SandboxFlags & BrokerFlags & ReportFlags & FlagsOf<typeof served>;

export const verifyCommand = (): Command =>
  withFlags(
    topCommand("verify", examples, notes, exitHelp).argument(
      "[pacts...]",
      "pact files, folders of pact files, or URLs",
    ),
    behaviour,
    served,
    brokerOptions,
    reportOptions(outputs.markdown),
  ).action(verify);

async function verify(sources: readonly string[], flags: Flags): Promise<void> {
  if (flags.states) return listStates(flags);
  if (flags.serve) {
    if (sources.length > 0 || (await brokerOptionsOf(flags)) || flags.provider !== undefined)
      throw new UsageError("--serve takes no pacts and no provider: the other verifier selects them");
    return withSandbox(flags, (options) => serveGateway(options, flags));
  }
  if (flags.port !== undefined) throw new UsageError("--port requires --serve");
  const run = await prepareRun(sources, flags);
  const report = await withSandbox(flags, (options) => withProgress("the Pact verifier", run(options)));
  const { hasFailed } = await import("../../pact/verify/verify-pacts.js");
  await publish(toPactReport(report, hasFailed(report)), flags);
}

/** Reads the pacts to verify, so that their errors are reported before a sandbox is started. */
async function prepareRun(
  sources: readonly string[],
  flags: Flags,
): Promise<(options: VerifyOptions) => Promise<PactReport>> {
  const broker = await brokerOptionsOf(flags);
  if ((broker === null) === (sources.length === 0))
    throw new UsageError(
      'name pact files, folders or URLs, or else use --broker-url; "standin verify --states" lists provider states',
    );
  const { verifyBroker, verifyPacts } = await import("../../pact/verify/verify-pacts.js");
  if (broker) return (options) => verifyBroker(broker, options);
  const token = tokenOf(flags);
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const files = await readPacts(sources, headers);
  const selected = withProvider(files, flags.provider);
  return (options) => verifyPacts(selected, options);
}

/** Throws a UsageError if no pact has the provider. */
function withProvider(files: readonly PactFile[], name: string | undefined): readonly PactFile[] {
  const selected = files.filter(({ provider }) => name === undefined || provider === name);
  if (selected.length > 0) return selected;
  const known = [...new Set(files.map(({ provider }) => JSON.stringify(provider)))].join(", ");
  throw new UsageError(`no pact has the provider ${JSON.stringify(name)}; the pacts are with ${known}`);
}

async function withSandbox<T>(flags: Flags, work: (options: VerifyOptions) => Promise<T>): Promise<T> {
  const { withTemporarySandbox } = await import("../temporary-sandbox.js");
  const config = await readConfig(flags.config);
  // Each interaction gets its own key.
  const options = { flags: { ...flags, registeredKeysOnly: false }, config, key: newKey() };
  return withTemporarySandbox(options, ({ api }) =>
    work({
      sandboxUrl: api.baseUrl,
      operations: serviceOperations,
      freshKey: (mode) => newKey(mode, "pact_"),
    }).catch((error: Error) => {
      const { message } = error;
      throw error instanceof NotInstalled ? new UsageError(message) : new CommandError(message);
    }),
  );
}

function listStates(flags: Flags): void {
  const items = describeStates();
  const rows = items.map(({ name, params, values, description }) => [
    name,
    Object.keys(params.properties).join(", ") || "-",
    Object.keys(values).join(", ") || "-",
    description,
  ]);
  printResult(flags, { items }, () => formatTable(["state", "parameters", "values", "description"], rows));
}

export async function serveGateway(
  options: VerifyOptions,
  { port = 0, ...flags }: Pick<Flags, "port" | "json">,
): Promise<void> {
  const gateway = new Gateway({ ...options, port, rootMessages: true, onFailure: printError });
  await gateway.open();
  const stopped = untilStopped();
  printResult(flags, { url: gateway.url, state_change_url: gateway.url + statePath }, formatGateway);
  await stopped;
  await gateway.close();
}

const formatGateway = ({ url, state_change_url }: { url: string; state_change_url: string }): string =>
  [
    `Serving the provider at ${url} and its states at ${state_change_url}. Example:`,
    `  pact verifier --hostname 127.0.0.1 --port ${new URL(url).port} --state-change-url ${state_change_url} --state-change-teardown --file pact.json`,
    "Press Ctrl+C to stop.",
  ].join("\n");

function formatPactReport({ interactions, warnings, failures, untried }: PactReport): string {
  const lines: string[] = [];
  let pact = "";
  for (const interaction of interactions) {
    const heading = `${interaction.consumer} ${colors.dim(interaction.source)}`;
    if (heading !== pact) lines.push(...(pact === "" ? [] : [""]), colors.bold(heading));
    pact = heading;
    lines.push(...formatInteraction(interaction));
  }
  for (const warning of warnings) lines.push("", `${colors.yellow("warning")} ${toOneLine(warning)}`);
  for (const failure of failures) lines.push("", `${colors.red("failure")} ${toOneLine(failure)}`);
  for (const reason of untried) lines.push("", `${colors.yellow("not tried")} ${toOneLine(reason)}`);
  return [...lines, "", formatSummary(interactions)].join("\n").replace(/^\n/, "");
}

const marks = {
  passed: colors.green("✓"),
  failed: colors.red("✗"),
  pending: colors.yellow("pending"),
};

function formatInteraction({ result, description, states, problems }: InteractionResult): string[] {
  const given = states.length === 0 ? "" : colors.dim(` given ${states.join(" and ")}`);
  return [`  ${marks[result]} ${toOneLine(description)}${given}`, ...problems.flatMap(formatProblem)];
}

/** Formats a difference and, below it, the explanation from the contract or the service. */
function formatProblem(problem: string): string[] {
  const [difference = "", ...notes] = toOneLine(problem).split(
    /; (?=the (?:contract|service) )| (?=\(hint: )/,
  );
  return [`      ${difference}`, ...notes.map((note) => `        ${colors.dim(note)}`)];
}

function formatSummary(interactions: readonly InteractionResult[]): string {
  if (interactions.length === 0) return "Nothing was tried: no interaction was verified.";
  const passed = interactions.filter(({ result }) => result === "passed").length;
  const pacts = new Set(interactions.map(({ source, consumer }) => `${source} ${consumer}`)).size;
  const seconds = interactions.reduce((sum, { duration_ms }) => sum + duration_ms, 0) / 1_000;
  return `${passed} of ${formatCount(interactions.length, "interaction")} of ${formatCount(pacts, "pact")} verified, ${seconds.toFixed(1)} s.`;
}

const toRow = ({
  consumer,
  description,
  states,
  result,
  problems,
  duration_ms,
}: InteractionResult): ReportRow => ({
  group: consumer,
  name: [description, ...states].join(", given "),
  seconds: duration_ms / 1_000,
  ...(result === "passed"
    ? { verdict: "passed" }
    : { verdict: result === "failed" ? "failed" : "skipped", text: problems.join("\n") }),
});

const symbols = { passed: "✅", failed: "❌", pending: "⏳" };

/** Returns the report of a verification, in which something has failed or only was not tried. */
function toPactReport(report: PactReport, hasFailed: boolean): Report {
  const { interactions, failures, untried, passed } = report;
  return {
    title: "pacts",
    outcome: passed ? "passed" : hasFailed ? "failed" : "notTried",
    rows: [
      ...interactions.map(toRow),
      // CI services must report what was not tried as a failure.
      ...[...failures, ...untried].map(
        (text): ReportRow => ({ group: "pacts", name: "run", verdict: "failed", text }),
      ),
    ],
    sections: [
      {
        heading: `Pacts: ${formatSummary(interactions)}`,
        headings: ["", "consumer", "interaction", "given", "problems"],
        rows: interactions.map(({ result, consumer, description, states, problems }) => [
          symbols[result],
          consumer,
          description,
          states.join("; "),
          problems,
        ]),
        after: [...failures, ...untried],
      },
    ],
    document: report,
    text: () => formatPactReport(report),
  };
}

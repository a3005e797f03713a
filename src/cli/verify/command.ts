/** `standin verify`: verifies Pact consumer contracts against a sandbox in this process. */
import type { Command } from "commander";
import { NotInstalled } from "../../contract/optional-packages.js";
import { describeStates } from "../../pact/provider-states/provider-states.js";
import { Gateway, statePath } from "../../pact/verify/gateway.js";
import { type PactFile, readPacts } from "../../pact/verify/pact-file.js";
import type { PactReport, VerifyOptions } from "../../pact/verify/verify-pacts.js";
import { serviceOperations } from "../../service/index.js";
import { newKey } from "../../world/account/account-id.js";
import { topCommand } from "../command-list.js";
import { CommandError, formatExitCodes, printError, UsageError } from "../errors.js";
import { type FlagsOf, flagTable, withFlags } from "../flags.js";
import { formatTable, printResult } from "../output/print.js";
import { withProgress } from "../output/progress.js";
import { outputs, publish, type ReportFlags, reportOptions } from "../output/report.js";
import { behaviour, portFlag, readConfig, type SandboxFlags } from "../sandbox-options.js";
import { untilStopped } from "../signals.js";
import { type BrokerFlags, brokerOptions, brokerOptionsOf, tokenOf } from "./broker.js";
import { toPactReport } from "./report.js";

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

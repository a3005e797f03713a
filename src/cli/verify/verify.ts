/** `standin verify`: consumer contracts of Pact, held against a sandbox in this process. */
import type { Command } from "commander";
import { NotInstalled } from "../../contract/optional-packages.js";
import { providerStates } from "../../pact/provider-states/provider-states.js";
import { PactFileError, readPacts } from "../../pact/verify/pact-file.js";
import type { PactReport, VerifyOptions } from "../../pact/verify/verify-pacts.js";
import { serviceOperations } from "../../service/index.js";
import { unpredictable } from "../../world/time/random.js";
import { readConfig, UsageError } from "../config.js";
import { CommandFailure } from "../control-api.js";
import { waitingFor } from "../progress.js";
import {
  assumeOption,
  portOption,
  type SettingsFlags,
  toSettings,
  withBehaviour,
} from "../sandbox-options.js";
import { taught, write } from "../steering.js";
import { table } from "../table.js";
import { type BrokerFlags, toBroker, tokenOf, withBroker } from "./broker.js";
import { describe, writeReports } from "./report.js";
import { serveUntilStopped } from "./serve.js";

interface Flags extends SettingsFlags, BrokerFlags {
  states?: true;
  serve?: true;
  port?: number;
  json?: true;
  junit?: string;
  markdown?: string;
}

const what = "Verify consumer contracts (Pact) against a sandbox of their own; no sandbox need run.";

const more = `Every interaction gets a fresh account, whatever key the pact has; its provider states are set up for real.
Messages are webhooks: a message's description names the event, such as "a payout.paid event".`;

const exitCodes = `Exit codes: 0 all is met; 1 an interaction is not, there is none, or the verifier failed;
2 the command line is wrong, what it names is no pact, or Pact's verifier is not installed.`;

const examples = [
  "standin verify pacts/shop-service.json",
  "standin verify pacts/ --junit pacts.xml --markdown summary.md",
  "standin verify https://broker.example/pacts/provider/service/consumer/shop/latest --token $TOKEN",
  "standin verify --broker-url https://broker.example --provider service --enable-pending",
  "standin verify --states",
];

export const verifyCommand = (): Command =>
  withBroker(
    withBehaviour(
      taught("verify", what, examples, more, exitCodes).argument(
        "[pacts...]",
        "pact files, folders of them, or URLs",
      ),
    )
      .addOption(assumeOption())
      .option("--states", "list the provider states, with parameters and values")
      .option("--serve", "stay, and let a verifier of another make ask; Ctrl+C stops")
      .addOption(portOption("0, with --serve")),
  )
    .optionsGroup("Output:")
    .option("--json", "print the report as one JSON document")
    .option("--junit <file>", "write the report as JUnit XML too")
    .option("--markdown <file>", "write the report as Markdown too, for the summary of a CI run")
    .action(verify);

async function verify(sources: readonly string[], flags: Flags): Promise<void> {
  if (flags.states) return listStates(flags);
  if (flags.serve) {
    if (sources.length > 0) throw new UsageError("--serve takes no pacts: the other verifier has them");
    return serve(flags);
  }
  if (flags.port !== undefined) throw new UsageError("--port needs --serve");
  const report = await withSandbox(flags, await verifying(sources, flags));
  await writeReports(report, flags);
  write(`${flags.json ? JSON.stringify(report) : describe(report)}\n`);
  if (!report.passed) process.exitCode = 1;
}

/** What is to be verified is looked at before anything starts. */
async function verifying(
  sources: readonly string[],
  flags: Flags,
): Promise<(options: VerifyOptions) => Promise<PactReport>> {
  const broker = toBroker(flags);
  if ((broker === null) === (sources.length === 0))
    throw new UsageError(
      'name pact files, folders or URLs, or else --broker-url; "standin verify --states" lists states',
    );
  const { verifyBroker, verifyPacts } = await import("../../pact/verify/verify-pacts.js");
  if (broker) return (options) => verifyBroker(broker, options);
  const token = tokenOf(flags);
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const files = await readPacts(sources, headers).catch((error: unknown) => {
    throw error instanceof PactFileError ? new UsageError(error.message) : error;
  });
  return (options) => verifyPacts(files, options);
}

async function withSandbox<T>(flags: Flags, work: (options: VerifyOptions) => Promise<T>): Promise<T> {
  const { startServer } = await import("../../sandbox.js");
  const settings = toSettings(flags, await readConfig(flags.config));
  const sandbox = await startServer({ ...settings, registeredKeysOnly: false, adminToken: null }).catch(
    (error: Error) => {
      throw new UsageError(error.message);
    },
  );
  try {
    const options: VerifyOptions = {
      sandboxUrl: sandbox.url,
      operations: serviceOperations,
      freshKey: (mode) => `svc_${mode}_pact_${unpredictable(12)}`,
    };
    return await waitingFor("Pact's verifier", work(options));
  } catch (error) {
    const Failure = error instanceof NotInstalled ? UsageError : CommandFailure;
    throw new Failure((error as Error).message);
  } finally {
    await sandbox.close();
  }
}

async function serve(flags: Flags): Promise<void> {
  const { Gateway, statePath } = await import("../../pact/verify/gateway.js");
  await withSandbox(flags, async (options) => {
    const gateway = new Gateway({
      ...options,
      port: flags.port ?? 0,
      rootMessages: true,
      onFailure: (reason) => void process.stderr.write(`standin: ${reason}\n`),
    });
    await gateway.open();
    await serveUntilStopped(gateway, statePath, flags.json === true);
    await gateway.close();
  });
}

function listStates({ json }: Flags): void {
  const items = providerStates.map(({ name, description, params, values }) => ({
    name,
    description,
    params,
    values,
  }));
  const rows = items.map(({ name, params, values, description }) => [
    name,
    Object.keys(params.properties).join(", ") || "-",
    Object.keys(values).join(", ") || "-",
    description,
  ]);
  write(
    `${json ? JSON.stringify({ items }) : table(["state", "parameters", "values", "what it is"], rows)}\n`,
  );
}

/** Runs the recording proxy until the command ends or a signal arrives, and writes what it has recorded. */
import { serviceDocument } from "../../documents/contracts.js";
import { ServiceContract } from "../../drift/compare/contract.js";
import { type PassedReport, RecordingProxy } from "../../drift/record/proxy.js";
import type { Assumptions } from "../../service/assumptions.js";
import { realNow } from "../../time/time.js";
import { readConfig } from "../config.js";
import { baseUrlOf } from "../connection.js";
import { assumptionsInForce } from "../drift/flags.js";
import { CommandError, exitCodes, UsageError } from "../errors.js";
import { runInForeground } from "../exec/child-process.js";
import { stderrColors as colors } from "../output/print.js";
import { formatCount } from "../output/table.js";
import { describeStartError } from "../sandbox-options.js";
import { writeExchanges } from "../scenario/write-exchanges.js";
import { onStopSignals } from "../signals.js";
import type { RecordFlags } from "./flags.js";

const host = "127.0.0.1";

export async function runRecord(
  command: readonly string[],
  flags: RecordFlags & { port: number },
): Promise<void> {
  if (command.length > 0 && flags.out === undefined)
    throw new UsageError("a command writes to stdout itself; name a file for the recording with --out");
  const assumptions = assumptionsInForce(flags, await readConfig(flags.config));
  const reports: PassedReport[] = [];
  const proxy = await RecordingProxy.open({
    baseUrl: baseUrlOf(flags.from, "--from"),
    port: flags.port,
    allowsLiveKeys: flags.iKnowThisCostsMoney === true,
    contract: new ServiceContract(serviceDocument(flags.from, assumptions)),
    now: realNow,
    onPassed(report) {
      reports.push(report);
      process.stderr.write(`${formatPassed(report)}\n`);
    },
  }).catch((error: unknown) => {
    throw new UsageError(describeStartError(error, host, flags.port));
  });
  process.stderr.write(`${formatStart(proxy.url, command, flags)}\n`);
  const code = command.length === 0 ? await untilStopped() : await run(command, proxy.url);
  await proxy.close();
  const exitCode = code || exitCodeFor(reports);
  await write(proxy, reports, assumptions, { ...flags, exitCode });
  process.exitCode = exitCode;
}

/** Resolves with exit code 0 at the first signal. */
async function untilStopped(): Promise<number> {
  await new Promise<void>((resolve) => {
    const remove = onStopSignals(() => {
      remove();
      resolve();
    });
  });
  return 0;
}

async function run(command: readonly string[], url: string): Promise<number> {
  const env = { ...process.env, SERVICE_BASE_URL: url, STANDIN_URL: url };
  return (await runInForeground(command, env)).code;
}

async function write(
  proxy: RecordingProxy,
  reports: readonly PassedReport[],
  assumptions: Assumptions,
  { out: file, as, json, exitCode }: RecordFlags & { exitCode: number },
): Promise<void> {
  const { exchanges, live, leftOut } = proxy;
  const findings = findingsIn(reports);
  const unchecked = reports.flatMap(({ line, unchecked: reason }) =>
    reason === null ? [] : [`${line}: ${reason}`],
  );
  process.stderr.write(`\n${formatEnd(reports, findings)}\n`);
  if (exchanges.length === 0)
    throw new CommandError("no request has passed the proxy that could be recorded", exitCode);
  const output = { file, as, json, findings: { findings, unchecked } };
  await writeExchanges({ exchanges, live, leftOut }, assumptions, output);
}

interface RecordingFinding {
  readonly operation: string | null;
  readonly at: string;
  readonly problem: string;
  /** Number of replies with it. */
  readonly replies: number;
}

function findingsIn(reports: readonly PassedReport[]): RecordingFinding[] {
  const found = new Map<string, RecordingFinding>();
  for (const { operation, deviations } of reports)
    for (const { at, problem } of deviations) {
      const key = [operation, at, problem].join("\n");
      found.set(key, { operation, at, problem, replies: (found.get(key)?.replies ?? 0) + 1 });
    }
  return [...found.values()];
}

const exitCodeFor = (reports: readonly PassedReport[]): number => {
  if (reports.some(({ deviations }) => deviations.length > 0)) return exitCodes.failed.code;
  const isCompared = reports.length > 0 && reports.every(({ unchecked }) => unchecked === null);
  return (isCompared ? exitCodes.passed : exitCodes.notTried).code;
};

function formatStart(url: string, command: readonly string[], { from, out = "stdout" }: RecordFlags): string {
  const use =
    command.length === 0
      ? "Point the base URL of the client there. Ctrl+C ends the recording."
      : `Running ${command[0]} with SERVICE_BASE_URL.`;
  return `Recording ${new URL(from).origin} at ${url} for ${out}. ${use}\nWebhooks do not pass here: the service sends them to the URL that the client has registered.\n`;
}

const formatPassed = ({ line, deviations, unchecked }: PassedReport): string =>
  [
    line,
    ...deviations.map(({ at, problem }) => colors.red(`  deviates: ${at} ${problem}`)),
    ...(unchecked === null ? [] : [colors.yellow(`  not compared: ${unchecked}`)]),
  ].join("\n");

function formatEnd(reports: readonly PassedReport[], findings: readonly RecordingFinding[]): string {
  const passed = `${formatCount(reports.length, "request")} passed.`;
  const skipped = reports.filter(({ unchecked }) => unchecked !== null).length;
  const missed = skipped === 0 ? "" : ` ${formatCount(skipped, "reply", "replies")} could not be compared.`;
  if (reports.length === skipped) return `${passed} Nothing was compared with the contract.${missed}`;
  if (findings.length === 0) return `${passed} No reply deviates from the contract.${missed}`;
  const lines = findings.map(
    ({ operation, at, problem, replies }) =>
      `  ${operation}  ${at} ${problem} (${formatCount(replies, "reply", "replies")})`,
  );
  return [`${passed}${missed} The contract has something else:`, ...lines].join("\n");
}

/** `standin webhooks check`: checks a webhook receiver, without a sandbox or through a relay of a running one. */
import type { Command } from "commander";
import type { SandboxClient } from "../../client/client.js";
import type {
  CheckResult,
  CheckVerdict,
  ReceiverCheckOptions,
  ReceiverReport,
} from "../../receiver-check/check-receiver.js";
import {
  type ReceiverAnswer,
  type ReceiverRoute,
  ReceiverUnreachable,
} from "../../receiver-check/receiver-route.js";
import { isDeliverable } from "../../service/webhooks/webhooks.js";
import { formatDuration } from "../../time/time.js";
import { type RelaySending, relayNameOf } from "../../world/webhooks/relay.js";
import { attemptTimeout } from "../../world/webhooks/send.js";
import { commandGroup, documentedCommand } from "../command-list.js";
import { type ConnectionFlags, connect, connectionOptions } from "../connection.js";
import { formatExitCodes, UsageError } from "../errors.js";
import { type FlagsOf, flagTable, withFlags } from "../flags.js";
import { colors, formatCount, formatTable, printResult, toOneLine } from "../output/print.js";
import { withProgress } from "../output/progress.js";
import { publish, type Report, type ReportFlags, reportOptions } from "../output/report.js";
import { collectList, parseTimeoutFlag } from "../sandbox-options.js";
import { endpointsOf } from "./listener-endpoint.js";

const own = flagTable(null, [
  [
    "--secret <secret>",
    "webhook secret of the receiver (default WEBHOOK_SECRET, or the secret of the account for a relay)",
  ],
  [
    "--timeout <duration>",
    "time limit for an answer (default 10s, as for real deliveries)",
    { parse: parseTimeoutFlag },
  ],
  ["--seed <text>", "seed for the ids in the deliveries (default: random, printed in the report)"],
  [
    "--only <checks>",
    "only these checks or groups of checks, comma-separated; repeatable",
    { parse: collectList },
  ],
  ["--list", "list the checks without running them"],
]);

type Flags = ReportFlags & ConnectionFlags & FlagsOf<typeof own>;

const example = "standin webhooks check http://127.0.0.1:3000/webhooks";

export const webhooksCommand = (): Command =>
  commandGroup("webhooks", [`${example} --secret whsec_...`], [checkCommand()]);

const checkCommand = (): Command =>
  withFlags(
    documentedCommand(
      "check",
      "Send a receiver valid, repeated, malformed and forged deliveries, and check its answers.",
      [
        `${example} --secret whsec_...`,
        "WEBHOOK_SECRET=whsec_... standin webhooks check http://127.0.0.1:3000/webhooks --junit webhooks.xml",
        `${example} --only forged,odd/invalid-json`,
        "standin webhooks check relay:laptop --url https://sandbox.example",
        "standin webhooks check --list",
      ],
      formatExitCodes({
        passed: "the receiver is right",
        failed: "a check failed or was skipped",
        couldNotRun: "the command line is invalid, or nothing listens at the URL",
        notTried: "the receiver answered nothing",
      }),
    ).argument("[url]", "URL of the receiver, or relay: and the name of a relay that standin listen serves"),
    own,
    { ...connectionOptions, heading: "Sandbox and account of a relay:" },
    reportOptions(),
  ).action(check);

async function check(url: string | undefined, flags: Flags): Promise<void> {
  const options = { timeout: flags.timeout ?? attemptTimeout, only: flags.only ?? [] };
  if (flags.list) return list(options, flags).catch(throwUsageError);
  const seed = flags.seed === undefined ? {} : { seed: flags.seed };
  const checking = startChecks(urlOf(url), { ...options, ...seed }, flags);
  const report = await withProgress("the answers of the receiver", checking).catch(throwUsageError);
  await publish(toReport(report), flags);
}

async function startChecks(
  url: string,
  options: Omit<ReceiverCheckOptions, "url" | "secret"> & { timeout: number },
  flags: Flags,
): Promise<ReceiverReport> {
  const { checkOverRoute, runReceiverCheck } = await import("../../receiver-check/check-receiver.js");
  const relay = relayNameOf(url);
  if (relay === null) return runReceiverCheck({ url, secret: secretOf(flags), ...options });
  const client = connect(flags);
  const secret = givenSecret(flags) || (await secretOfRelay(client, relay));
  return checkOverRoute({ url, secret, ...options }, new RelayRoute(client, relay, options.timeout));
}

/** Returns the secret of the relay's endpoint, or of any other, which is the same unless each has its own. */
async function secretOfRelay(client: SandboxClient, relay: string): Promise<string> {
  const endpoints = await endpointsOf(client);
  return (endpoints.find(({ url }) => url === `relay:${relay}`) ?? endpoints[0])?.secret ?? noSecret();
}

async function list({ timeout, only }: { timeout: number; only: string[] }, flags: Flags): Promise<void> {
  const { selectChecks, checkGroups } = await import("../../receiver-check/check-receiver.js");
  const items = selectChecks(checkGroups(timeout), only)
    .flatMap((group) => group.checks)
    .map(({ id, title, sends: sent, right }) => ({ id, title, sent, right }));
  const rows = items.map(({ id, sent, right }) => [id, sent, right]);
  printResult(flags, { items }, () => formatTable(["check", "sent", "expected"], rows));
}

/** Throws a UsageError if the receiver does not answer or a check does not exist. */
async function throwUsageError(error: unknown): Promise<never> {
  const { ReceiverUnreachable } = await import("../../receiver-check/receiver-route.js");
  if (error instanceof ReceiverUnreachable)
    throw new UsageError(`${error.message}; start the receiver, or correct the URL`);
  throw error instanceof RangeError
    ? new UsageError(`${error.message}; "standin webhooks check --list" lists the checks`)
    : error;
}

function urlOf(url: string | undefined): string {
  if (url !== undefined && (isDeliverable(url) || relayNameOf(url) !== null)) return url;
  const given = url === undefined ? "" : `; got ${url}`;
  throw new UsageError(
    `the receiver must be an http or https URL such as http://127.0.0.1:3000/webhooks, without user name and password, or a relay such as relay:laptop${given}`,
  );
}

const givenSecret = ({ secret = process.env.WEBHOOK_SECRET ?? "" }: Flags): string => secret;

const secretOf = (flags: Flags): string => givenSecret(flags) || noSecret();

function noSecret(): never {
  throw new UsageError(
    "set the webhook secret of the receiver with --secret or WEBHOOK_SECRET; POST /v1/webhooks returns the secret of an account",
  );
}

const verdictColors: Readonly<Record<CheckVerdict, (text: string) => string>> = {
  pass: colors.green,
  fail: colors.red,
  advice: colors.yellow,
  skipped: colors.dim,
};

function formatAnswers({ answered }: CheckResult): string {
  const [first, ...others] = answered;
  if (!first) return "-";
  if (others.length > 0) return answered.map(({ status }) => status ?? "nothing").join(", ");
  return first.status === null ? "nothing" : `${first.status} in ${formatDuration(first.duration_ms)}`;
}

/** Formats one table whose rows are grouped below headings. */
function formatResults(results: readonly CheckResult[]): string {
  const rows = results.map((result) => [result.id, result.sent, formatAnswers(result), result.verdict]);
  const [heading, ...lines] = formatTable(["check", "sent", "answered", "verdict"], rows).split("\n");
  const grouped = results.flatMap(({ group, verdict }, index) => {
    const line = (lines[index] ?? "").replace(/\w+$/, verdictColors[verdict]);
    return group === results[index - 1]?.group ? [line] : ["", colors.bold(group), line];
  });
  return [heading, ...grouped].join("\n");
}

function formatExplanations(title: string, results: readonly CheckResult[], verdict: CheckVerdict): string[] {
  const matching = results.filter((result) => result.verdict === verdict);
  if (matching.length === 0) return [];
  return [
    "",
    title,
    ...matching.map(({ id, says }) => `  ${verdictColors[verdict](id)}  ${toOneLine(says)}`),
  ];
}

export function formatReceiverReport({ url, seed, counts, hints, results }: ReceiverReport): string {
  const others = (["fail", "advice", "skipped"] as const).filter((verdict) => counts[verdict] > 0);
  const words = { fail: "failed", advice: "advice", skipped: "skipped" };
  const sums = [`${counts.pass} passed`, ...others.map((verdict) => `${counts[verdict]} ${words[verdict]}`)];
  const time = results.find(({ id, verdict }) => id === "time/answers" && verdict !== "fail");
  return [
    formatResults(results),
    "",
    `${formatCount(results.length, "check")} of ${url} with --seed ${seed}: ${sums.join(", ")}.`,
    ...(time ? [time.says] : []),
    ...hints,
    ...formatExplanations("Failures:", results, "fail"),
    ...formatExplanations("Advice:", results, "advice"),
    ...formatExplanations("Skipped:", results, "skipped").slice(0, 3),
  ].join("\n");
}

const rowVerdicts = { pass: "passed", fail: "failed", advice: "note", skipped: "skipped" } as const;

function toReport(report: ReceiverReport): Report {
  const { url, answered, passed, results } = report;
  const untried = `nothing was tried: ${url} takes connections, and answers no delivery`;
  return {
    title: `webhooks of ${url}`,
    outcome: answered === 0 ? "notTried" : passed ? "passed" : "failed",
    reasons: answered === 0 ? [untried] : [],
    rows: results.map(({ id, group, title, answered: answers, verdict, says }) => ({
      group,
      name: `${id}: ${title}`,
      seconds: answers.reduce((sum, { duration_ms }) => sum + duration_ms, 0) / 1000,
      verdict: rowVerdicts[verdict],
      text: says,
    })),
    document: report,
    text: () => formatReceiverReport(report),
  };
}

type Headers = Readonly<Record<string, string>>;

export class RelayRoute implements ReceiverRoute {
  constructor(
    readonly client: SandboxClient,
    readonly relay: string,
    /** Time limit for an answer, in ms of real time. */
    readonly timeout: number,
  ) {}

  post(headers: Headers, body: string, check: string): Promise<ReceiverAnswer> {
    return this.sendRaw(headers, body, check, {});
  }

  async expectReachable(): Promise<void> {
    const { error } = await this.sendRaw({}, "", "check", { connectOnly: true });
    if (error !== null) throw new ReceiverUnreachable(error);
  }

  async close(): Promise<void> {}

  async sendRaw(
    headers: Headers,
    body: string,
    title: string,
    how: Omit<RelaySending, "timeout">,
  ): Promise<ReceiverAnswer> {
    const sending: RelaySending = { timeout: this.timeout, ...how };
    const { value } = await this.client.call("sendThroughRelay", {
      params: { name: this.relay },
      body: { headers, body, title, sending },
    });
    const { status, error, duration_ms = 0 } = value;
    return { status, error, duration_ms };
  }
}

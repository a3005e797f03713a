/** `standin webhooks check`: checks a webhook receiver. No sandbox is needed. */
import type { Command } from "commander";
import { isDeliverable } from "../../service/webhooks/deliverable-url.js";
import { attemptTimeout } from "../../webhooks/transport.js";
import { commandGroup, documentedCommand } from "../documented-command.js";
import { UsageError } from "../errors.js";
import { collectList, parseTimeout } from "../option-parsers.js";
import { type ReportFlags, withReportOptions, writeJunit } from "../output/junit.js";
import { printResult } from "../output/print.js";
import { withProgress } from "../output/progress.js";
import { formatTable } from "../output/table.js";
import { formatReceiverReport, junitCases } from "./receiver-report.js";

interface Flags extends ReportFlags {
  secret?: string;
  seed?: string;
  /** In ms. */
  timeout?: number;
  only?: string[];
  list?: true;
}

const example = "standin webhooks check http://127.0.0.1:3000/webhooks";

export const webhooksCommand = (): Command =>
  commandGroup(
    "webhooks",
    "Check a webhook receiver. No sandbox is needed.",
    [`${example} --secret whsec_...`],
    [checkCommand()],
  );

const checkCommand = (): Command =>
  withReportOptions(
    documentedCommand(
      "check",
      "Send a receiver valid, repeated, malformed and forged deliveries, and check its answers.",
      [
        `${example} --secret whsec_...`,
        "WEBHOOK_SECRET=whsec_... standin webhooks check http://127.0.0.1:3000/webhooks --junit webhooks.xml",
        `${example} --only forged,odd/invalid-json`,
        "standin webhooks check --list",
      ],
    )
      .argument("[url]", "URL of the receiver")
      .option("--secret <secret>", "webhook secret of the receiver (default WEBHOOK_SECRET)")
      .option(
        "--timeout <duration>",
        "time limit for an answer (default 10s, as for real deliveries)",
        parseTimeout,
      )
      .option("--seed <text>", "seed for the ids in the deliveries (default: random, printed in the report)")
      .option(
        "--only <checks>",
        "only these checks or groups of checks, comma-separated; repeatable",
        collectList,
      )
      .option("--list", "list the checks without running them"),
  ).action(check);

async function check(url: string | undefined, flags: Flags): Promise<void> {
  const options = { timeout: flags.timeout ?? attemptTimeout, only: flags.only ?? [] };
  if (flags.list) return list(options, flags).catch(throwUsageError);
  const { checkReceiver } = await import("../../receiver-check/check-receiver.js");
  const seed = flags.seed === undefined ? {} : { seed: flags.seed };
  const checking = checkReceiver({ url: urlOf(url), secret: secretOf(flags), ...options, ...seed });
  const report = await withProgress("the answers of the receiver", checking).catch(throwUsageError);
  await writeJunit(flags, `webhooks of ${report.url}`, junitCases(report));
  printResult(flags, report, formatReceiverReport);
  if (!report.passed) process.exitCode = 1;
}

async function list({ timeout, only }: { timeout: number; only: string[] }, flags: Flags): Promise<void> {
  const { selectChecks, checkGroups } = await import("../../receiver-check/check-groups.js");
  const items = selectChecks(checkGroups(timeout), only)
    .flatMap((group) => group.checks)
    .map(({ id, title, sends: sent, right }) => ({ id, title, sent, right }));
  const rows = items.map(({ id, sent, right }) => [id, sent, right]);
  printResult(flags, { items }, () => formatTable(["check", "sent", "expected"], rows));
}

/** Throws a UsageError if the receiver does not answer or a check does not exist. */
async function throwUsageError(error: unknown): Promise<never> {
  const { ReceiverUnreachable } = await import("../../receiver-check/reachable.js");
  if (error instanceof ReceiverUnreachable)
    throw new UsageError(`${error.message}; start the receiver, or correct the URL`);
  throw error instanceof RangeError
    ? new UsageError(`${error.message}; "standin webhooks check --list" lists the checks`)
    : error;
}

function urlOf(url: string | undefined): string {
  if (url !== undefined && isDeliverable(url)) return url;
  const given = url === undefined ? "" : `; got ${url}`;
  throw new UsageError(
    `the receiver must be an http or https URL such as http://127.0.0.1:3000/webhooks, without user name and password${given}`,
  );
}

function secretOf({ secret = process.env.WEBHOOK_SECRET ?? "" }: Flags): string {
  if (secret !== "") return secret;
  throw new UsageError(
    "set the webhook secret of the receiver with --secret or WEBHOOK_SECRET; POST /v1/webhooks returns that of an account",
  );
}

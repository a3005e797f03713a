/** `standin webhooks check`: whether a receiver of webhooks does what is right; no sandbox need run. */
import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import type { ReceiverReport } from "../../receiver-check/report.js";
import { isDeliverable } from "../../service/webhooks/deliverable-url.js";
import { attemptTimeout } from "../../webhooks/send.js";
import { parseDuration } from "../../world/time/time.js";
import { UsageError } from "../config.js";
import { CommandFailure } from "../control-api.js";
import { junit } from "../junit.js";
import { waitingFor } from "../progress.js";
import { taught, write } from "../steering.js";
import { table } from "../table.js";
import { describe, junitCases } from "./receiver-report.js";

interface Flags {
  secret?: string;
  seed?: string;
  timeout?: string;
  only?: string[];
  list?: true;
  json?: true;
  junit?: string;
}

const example = "standin webhooks check http://127.0.0.1:3000/webhooks";

export const webhooksCommand = (): Command =>
  taught("webhooks", "Check a receiver of webhooks; no sandbox need run.", [`${example} --secret whsec_...`])
    .helpCommand(false)
    .addCommand(checkCommand());

const several = (value: string, before: string[] = []): string[] => [
  ...before,
  ...value.split(",").map((name) => name.trim()),
];

const checkCommand = (): Command =>
  taught("check", "Send a receiver all that it may get, and judge it by what it answers.", [
    `${example} --secret whsec_...`,
    "WEBHOOK_SECRET=whsec_... standin webhooks check http://127.0.0.1:3000/webhooks --junit webhooks.xml",
    `${example} --only forged,odd/invalid-json`,
    "standin webhooks check --list",
  ])
    .exitOverride()
    .showHelpAfterError('("standin webhooks check --help" says what it takes)')
    .argument("[url]", "where the receiver takes deliveries")
    .option("--secret <secret>", "the webhook secret that it knows (default WEBHOOK_SECRET)")
    .option("--timeout <duration>", "how long it has for an answer (default 10s, as in deliveries)")
    .option("--seed <text>", "seed of the ids that are sent (default: a fresh one, printed)")
    .option("--only <checks>", "ids or groups of checks, with commas between them; repeatable", several)
    .option("--list", "list the checks, and send nothing")
    .optionsGroup("Output:")
    .option("--json", "print the report as one JSON document")
    .option("--junit <file>", "write the report as JUnit XML too")
    .action(check);

async function check(url: string | undefined, flags: Flags): Promise<void> {
  const options = { timeout: timeoutOf(flags), only: flags.only ?? [] };
  if (flags.list) return list(options, flags);
  const { checkReceiver } = await import("../../receiver-check/index.js");
  const seed = flags.seed === undefined ? {} : { seed: flags.seed };
  const checking = checkReceiver({ url: urlOf(url), secret: secretOf(flags), ...options, ...seed });
  const report = await waitingFor("the receiver's answers", checking).catch(asUsage);
  if (flags.junit !== undefined) await writeJunit(flags.junit, report);
  write(`${flags.json ? JSON.stringify(report) : describe(report)}\n`);
  if (!report.passed) process.exitCode = 1;
}

async function list({ timeout, only }: { timeout: number; only: string[] }, { json }: Flags): Promise<void> {
  const { chosen, repertoire } = await import("../../receiver-check/repertoire.js");
  const groups = await Promise.resolve()
    .then(() => chosen(repertoire(timeout), only))
    .catch(asUsage);
  const checks = groups.flatMap((group) => group.checks);
  const shown = checks.map(({ id, title, sends: sent, right }) => ({ id, title, sent, right }));
  const rows = shown.map(({ id, sent, right }) => [id, sent, right]);
  write(`${json ? JSON.stringify({ items: shown }) : table(["check", "sent", "right is"], rows)}\n`);
}

/** Nothing there, or no such check: the command line is wrong. */
async function asUsage(error: unknown): Promise<never> {
  const { NoReceiver } = await import("../../receiver-check/listening.js");
  if (error instanceof NoReceiver)
    throw new UsageError(`${error.message}; start the receiver, or say where it is`);
  throw error instanceof RangeError
    ? new UsageError(`${error.message}; "standin webhooks check --list" lists all`)
    : error;
}

function urlOf(url: string | undefined): string {
  if (url !== undefined && isDeliverable(url)) return url;
  throw new UsageError(
    `an http or https URL such as http://127.0.0.1:3000/webhooks is needed, without user name and password${url === undefined ? "" : `; got ${url}`}`,
  );
}

function secretOf({ secret = process.env.WEBHOOK_SECRET ?? "" }: Flags): string {
  if (secret !== "") return secret;
  throw new UsageError(
    "the webhook secret that the receiver knows is needed: give --secret or WEBHOOK_SECRET; POST /v1/webhooks answers with the account's",
  );
}

function timeoutOf({ timeout }: Flags): number {
  const ms = timeout === undefined ? attemptTimeout : parseDuration(timeout);
  if (ms !== null && ms > 0) return ms;
  throw new UsageError(`--timeout takes a duration such as 10s or 500ms; got ${timeout}`);
}

const writeJunit = (file: string, report: ReceiverReport): Promise<void> =>
  writeFile(file, junit(`webhooks of ${report.url}`, junitCases(report))).catch((error: Error) => {
    throw new CommandFailure(`the report cannot be written to ${file}: ${error.message}`);
  });

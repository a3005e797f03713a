/** Options of `standin drift`. */
import { InvalidArgumentError } from "commander";
import { defaultLockFile } from "../../contract/drift-lock.js";
import { groups } from "../../drift/groups.js";
import { parseDuration } from "../../time/time.js";
import { type FlagsOf, flagTable } from "../flags.js";
import type { ReportFlags } from "../output/report.js";
import { collectList, parseCount, parsePort, type SandboxFlags } from "../sandbox-options.js";

/** Parses a duration of 0 or more into ms. */
function parseWait(text: string): number {
  const ms = text === "0" ? 0 : parseDuration(text);
  if (ms === null) throw new InvalidArgumentError("A duration is written like 0, 500ms, 90s or 5m.");
  return ms;
}

/** Parses `confirmed=80%` into 80. */
function parseShare(text: string): number {
  const percent = /^confirmed=(\d{1,3}(?:\.\d+)?)%?$/.exec(text)?.[1];
  if (percent === undefined || Number(percent) > 100)
    throw new InvalidArgumentError("It must be a percentage, such as confirmed=80%.");
  return Number(percent);
}

function parseAmount(text: string): number {
  if (!/^\d+(?:\.\d{1,2})?$/.test(text)) throw new InvalidArgumentError("An amount is a number of naira.");
  return Number(text);
}

export const serviceOptions = flagTable("Real service:", [
  ["--against <url>", "base URL of the service", { env: "STANDIN_DRIFT_AGAINST" }],
  ["--key <key>", "test key of the service", { env: "STANDIN_DRIFT_KEY" }],
  [
    "--session-token <token>",
    "token of the dashboard, for domain verifications",
    { env: "STANDIN_DRIFT_SESSION_TOKEN" },
  ],
  [
    "--pace <duration>",
    "minimum time between two requests (default 150ms; 0 for none)",
    { parse: parseWait },
  ],
  ["--max-calls <n>", "maximum number of requests (default 900)", { parse: parseCount }],
  [
    "--max-cost <naira>",
    "limit of what the calls may cost, at list price (default 2000); scenarios beyond it are left out",
    { parse: parseAmount },
  ],
  ["--i-know-this-costs-money", "allow a live key; operations that reach people or move money stay excluded"],
]);

export const meansOptions = flagTable("What a test needs:", [
  ["--phone <number>", "phone number that codes are sent to (default +2348031234567)"],
  [
    "--otp-cmd <command>",
    "command that prints the code that was sent to $STANDIN_DRIFT_TO; $STANDIN_DRIFT_ID is the verification",
  ],
  [
    "--reply-cmd <command>",
    "command that sends $STANDIN_DRIFT_TEXT to channel $STANDIN_DRIFT_CHANNEL as the person $STANDIN_DRIFT_FROM",
  ],
  ["--webhook-url <url>", "public address that forwards to --webhook-port of this machine"],
  [
    "--webhook-port <port>",
    "port to receive webhooks on (default: the port of a loopback --webhook-url)",
    { parse: parsePort },
  ],
  ["--wait <duration>", "how long to wait for something to happen (default 45s)", { parse: parseWait }],
]);

export const scopeOptions = flagTable("What to check:", [
  ["--only <groups>", `only these groups, comma-separated: ${groups.join(", ")}`, { parse: collectList }],
  [
    "--scenario <names>",
    "play these scenarios or files (default: the fewest that reach every operation of the groups)",
    { parse: collectList },
  ],
  ["--slow", "also check what takes many calls, minutes or money, such as the expiry of codes"],
  ["--questions", "print what no run can see, as a checklist of questions, and call nothing"],
  ["--dry-run", "show what would be called and what it would cost, and call nothing"],
]);

export const resultOptions = flagTable(null, [
  ["--lock <file>", `file that keeps what was observed (default ${defaultLockFile})`],
  ["--write-config", "write the values that the service contradicts into the config file"],
]);

export const lockOptions = flagTable("Check the lock file:", [
  ["--check", "check the lock file without calling the service"],
  ["--max-age <duration>", "maximum age of an observation (default 30d)", { parse: parseWait }],
  [
    "--min <share>",
    "least share of what the service has to confirm, such as confirmed=80%",
    { parse: parseShare },
  ],
  ["--badge <file>", "also write that share as a badge, an SVG for a README"],
  ["--diff <locks...>", "compare what two lock files have observed"],
]);

/** Durations are in ms, the cost in naira, the share in percent. */
export type DriftFlags = SandboxFlags &
  ReportFlags &
  FlagsOf<typeof serviceOptions> &
  FlagsOf<typeof meansOptions> &
  FlagsOf<typeof scopeOptions> &
  FlagsOf<typeof resultOptions> &
  FlagsOf<typeof lockOptions>;

/** Runs an exam, and writes its report card. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { isObject, parseObject } from "../../contract/json.js";
import { readTextFile } from "../../contract/read-file.js";
import { distribute } from "../../exam/bundle.js";
import { type ExamCard, type Examined, findingFile, formatTried, toCard } from "../../exam/card.js";
import { longestWaitMs } from "../../exam/conduct/rules.js";
import { CalledNothing, Exam, UnfitBaseline, UnknownName } from "../../exam/examine.js";
import { type ExamRun, findNullError, findPassedOn } from "../../exam/judge.js";
import { type AccountPast, observe, readPast } from "../../exam/observation.js";
import { formatScenario, type Perturbation, perturbationName, playedRules } from "../../exam/perturbation.js";
import { divergence, readBeliefs } from "../../exam/reconcile.js";
import { listRules, type RulesOfAccount } from "../../rules/rules.js";
import { version } from "../../sandbox.js";
import { serviceOperations } from "../../service/index.js";
import { minute, second, stopwatch } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import { accountId } from "../../world/account/account-id.js";
import { CommandError, exitCodes, printError, UsageError } from "../errors.js";
import {
  findLeftRunning,
  formatExit,
  hasPassed,
  lastLines,
  runCaptured,
  runUnder,
  stopSignal,
} from "../exec/run-under.js";
import { writeInFolder } from "../output/print.js";
import { StatusLine } from "../output/progress.js";
import { publish } from "../output/report.js";
import { readStories, type ToldStory } from "../output/story-page.js";
import { readConfig } from "../sandbox-options.js";
import { calledNothing, keyOf } from "../temporary-sandbox.js";
import { describeLeftRunning, toExamReport } from "./card.js";
import type { ExamFlags } from "./flags.js";

const defaultBudgetMs = 5 * minute;
/** Maximum number of runs at a time without --jobs. */
const maxDefaultJobs = 4;
/** Time limit of the first undisturbed run, in ms: what is left of the budget, within these limits. */
const baselineTimeoutMs = { min: 5 * second, max: 10 * minute };
/**
 * A disturbed run that takes this much longer than an undisturbed one is run again with a longer limit, within which a client
 * that waits for a reply as long as it may ends: `beyondMs` after that. One that takes longer still does not end by itself.
 */
const patience = { factor: 3, ms: 10 * second, beyondMs: 5 * second };
/** Longest time in ms for which a suite goes on that prints or opens accounts, since every test of it waits for a while. */
const maxProgressMs = 5 * minute;

export async function exam(command: readonly string[], flags: ExamFlags): Promise<void> {
  const { budget = defaultBudgetMs, out, reconcile, verbose: isVerbose = false } = flags;
  const config = await readConfig(flags.config);
  const accepted = flags.accept === undefined ? new Map<string, string>() : await readAccepted(flags.accept);
  const rankOf = flags.since === undefined ? () => 0 : await readRanks(out);
  // All runs share a key: with the same seed they get the same ids, and differ only in what is disturbed.
  const options = { flags, config, key: keyOf(flags) };
  const elapsed = stopwatch();
  const stopped = stopSignal();
  const progress = new Progress(() => budget - elapsed());
  let runs = 0;
  /** URLs of the sandboxes of all runs. */
  const urls = new Set<string>();
  /** Stories of the runs of a single perturbation, the only ones that can show a finding. Empty unless a page is wanted. */
  const stories = new WeakMap<ExamRun, readonly ToldStory[]>();

  const baselineTimeout = () =>
    Math.min(Math.max(budget - elapsed(), baselineTimeoutMs.min), baselineTimeoutMs.max);

  function run(
    title: string,
    perturbations: readonly Perturbation[],
    baseline: ExamRun | null,
    { isPatient } = { isPatient: false },
  ): Promise<ExamRun> {
    let sinceOpened = () => Number.POSITIVE_INFINITY;
    const rulesOf: RulesOfAccount = (opened, isUsed) => {
      sinceOpened = stopwatch();
      const own = baseline
        ? distribute(perturbations, opened, baseline.observation, (one) => isUsed(perturbationName(one)))
        : [];
      return own.flatMap((one) =>
        playedRules(one).map((rule) => ({ ...rule, scenario: perturbationName(one) })),
      );
    };
    /** Pasts of accounts that were reset: many suites use one account, and reset it before each test. */
    const earlier: AccountPast[] = [];
    const sandbox = {
      ...options,
      rulesOf,
      beforeRefill: (account: Account) => void earlier.push(readPast(account)),
    };
    // A reply may take as long as the interface states, on each of two accounts.
    const stated = 2 * Math.max(...perturbations.map(({ statedMs = 0 }) => statedMs), 0);
    const called = [...(baseline?.observation.operations.keys() ?? [])];
    const silenceMs = longestWaitMs(called) + patience.beyondMs;
    const timeout = baseline
      ? patience.factor * baseline.durationMs + (isPatient ? silenceMs : patience.ms) + stated
      : baselineTimeout();
    if (!isVerbose) progress.show(title);
    runs++;
    return runUnder(
      sandbox,
      (env) =>
        runCaptured(command, env, {
          timeout,
          ...(isPatient && {
            whileProgressing: { silenceMs, maxMs: maxProgressMs, sinceSign: () => sinceOpened() },
          }),
          stopped,
          shownAs: isVerbose ? title : undefined,
        }),
      async (ran, { api, accounts, env }) => {
        urls.add(env.STANDIN_URL as string);
        const done: ExamRun = {
          passed: hasPassed(ran),
          timedOut: ran.timedOut,
          exit: formatExit(ran),
          durationMs: ran.durationMs,
          output: lastLines(ran.output),
          nullError: findNullError(ran.output),
          passedOn: findPassedOn(ran.output),
          observation: await observe(accounts(), earlier),
          divergence:
            reconcile === undefined ? null : await compare(reconcile, [...accounts()], env, stopped),
        };
        const isAlone = perturbations.length === 1;
        if (flags.html !== undefined && isAlone) {
          const disturbed = disturbedOf(accounts()).slice(0, maxStories);
          stories.set(done, await readStories(api, (account) => disturbed.includes(account)));
        }
        return done;
      },
    );
  }

  try {
    const examined = await new Exam({
      operations: serviceOperations,
      only: flags.only ?? null,
      rankOf,
      run,
      jobs: flags.jobs ?? Math.min(availableParallelism(), maxDefaultJobs),
      left: () => budget - elapsed(),
      isStopped: () => stopped.aborted,
      onProgress: (judged, all) => progress.advance(judged, all),
    }).examine();
    progress.end();
    const card = toCard({
      ...examined,
      command,
      contract: version,
      durationMs: elapsed(),
      runs,
      accepted,
      allowPartial: flags.allowPartial ?? false,
      fileOf: (perturbation) => fileOf(perturbation, out),
      leftRunning: await findLeftRunning(urls),
      reproduce: (perturbation) => [...showing(perturbation, out), "--", ...command.map(quoted)].join(" "),
    });
    await writeFindings(out, examined.findings);
    await writeLast(out, examined);
    for (const id of accepted.keys())
      if (!card.findings.some((finding) => finding.id === id))
        printError(`${flags.accept} accepts ${id}, which was not found`);
    const told = new Map(
      examined.findings.map(({ perturbation, run }) => [perturbation.id, stories.get(run) ?? []]),
    );
    const tooLittle = describeTooLittle(card, flags);
    for (const failed of examined.baseline.observation.failedRules) printError(failed);
    const report = toExamReport(card, told, tooLittle, flags.card);
    const { aborted: isStopped, reason } = stopped;
    await publish(report, flags).catch((error: unknown) => {
      if (!isStopped) throw error;
    });
    if (isStopped) {
      const { message, exitCode } = reason as CommandError;
      throw new CommandError(`${message}; the report is partial`, exitCode);
    }
  } catch (error) {
    progress.end();
    if (error instanceof CommandError) throw error;
    stopped.throwIfAborted();
    if (error instanceof CalledNothing) throw new CommandError(calledNothing, exitCodes.notTried.code);
    if (error instanceof UnknownName) throw new UsageError(error.message);
    if (!(error instanceof UnfitBaseline)) throw error;
    if (!isVerbose) process.stderr.write(`${error.run.output.map((line) => `  ${line}\n`).join("")}\n`);
    const left = await findLeftRunning(urls);
    if (left.length > 0) printError(describeLeftRunning(left));
    throw new UsageError(error.message);
  }
}

/** Maximum number of accounts that are drawn for a finding. */
const maxStories = 3;

/** Returns the ids of the accounts on which a rule was used. */
const disturbedOf = (accounts: Iterable<Account>): string[] =>
  [...accounts].filter((account) => listRules(account).some(({ used }) => used > 0)).map(({ id }) => id);

/** Time limit of the command that prints what the client's system believes, in ms. */
const reconcileTimeoutMs = 30 * second;

/** Returns the first divergence between what the command prints and the accounts, as a sentence, or null. */
async function compare(
  command: string,
  accounts: readonly Account[],
  env: NodeJS.ProcessEnv,
  stopped: AbortSignal,
): Promise<string | null> {
  let printed = "";
  const onStdout = (text: string) => {
    printed += text;
  };
  const shell = process.platform === "win32" ? ["cmd", "/d", "/s", "/c"] : ["sh", "-c"];
  const run = await runCaptured([...shell, command], env, { timeout: reconcileTimeoutMs, stopped, onStdout });
  if (!hasPassed(run))
    return `The command of --reconcile failed (${formatExit(run)}): ${lastLines(run.output).join(" ")}`;
  const beliefs = await readBeliefs(printed);
  const main = accountId(env.SERVICE_KEY as string);
  return typeof beliefs === "string" ? beliefs : divergence(accounts, main, beliefs);
}

/**
 * Returns the scenario file that shows a finding. Null if it shows on one account or record alone: a file disturbs every account,
 * and records have other ids outside the exam.
 */
const fileOf = (perturbation: Perturbation, folder: string): string | null =>
  perturbation.account === undefined && perturbation.rules.every(({ when }) => when?.path === undefined)
    ? join(folder, findingFile(perturbation))
    : null;

async function writeFindings(
  folder: string,
  findings: readonly { perturbation: Perturbation }[],
): Promise<void> {
  if (findings.length === 0) return;
  await mkdir(folder, { recursive: true });
  for (const { perturbation } of findings) {
    const file = fileOf(perturbation, folder);
    if (file !== null) await writeFile(file, formatScenario(perturbation));
  }
}

/** Returns why the exam says too little about the client, as a sentence, or null if it says enough. */
function describeTooLittle(card: ExamCard, { allowPartial }: ExamFlags): string | null {
  const { tried, complete } = card;
  if (tried.length > 0 && (complete || allowPartial)) return null;
  if (complete) return "nothing was tried: nothing that was planned has occurred";
  const cause = "--budget gives an exam more time";
  return tried.length === 0
    ? `nothing was tried, so that nothing is known about the client; ${cause}`
    : `only ${formatTried(card)}; ${cause}, and --allow-partial accepts less`;
}

/** Returns the beginning of the command that shows a finding again. */
function showing(perturbation: Perturbation | null, folder: string): string[] {
  if (perturbation === null) return ["standin exec"];
  const file = fileOf(perturbation, folder);
  return file === null ? [`standin exam --only ${perturbation.id}`] : [`standin exec --with ${file}`];
}

/** Quotes a word for a shell if it needs to be. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

const barWidth = 20;

class Progress {
  #judged = 0;
  #all = 0;
  readonly #line = new StatusLine();

  /** `left` returns the ms that are left. */
  constructor(readonly left: () => number) {}

  advance(judged: number, all: number): void {
    this.#judged = judged;
    this.#all = all;
  }

  /** Shows what is running. */
  show(title: string): void {
    const done = this.#all === 0 ? 0 : Math.round((this.#judged / this.#all) * barWidth);
    const bar = "#".repeat(done).padEnd(barWidth, ".");
    const seconds = Math.max(0, Math.round(this.left() / second));
    this.#line.show(`[${bar}] ${this.#judged} of ${this.#all}, ${seconds} s left: ${title}`);
  }

  end(): void {
    this.#line.clear();
  }
}

/** Reads the reasons of accepted findings by id, from a YAML or JSON file. Rejects with a UsageError. */
export async function readAccepted(file: string): Promise<ReadonlyMap<string, string>> {
  const right = `--accept takes a file with lines such as "survived/createPayout/reply-lost: paid by hand, and checked each day"`;
  const value = await readTextFile(file)
    .then((text): unknown => parse(text))
    .catch((error: Error) => {
      throw new UsageError(`${right}; ${error.message}`);
    });
  if (!isObject(value)) throw new UsageError(`${right}; ${file} has no such lines`);
  for (const [id, reason] of Object.entries(value))
    if (typeof reason !== "string" || reason.trim() === "")
      throw new UsageError(`${right}; ${file} gives no reason for ${id}`);
  return new Map(Object.entries(value) as [string, string][]);
}

const lastFile = (folder: string): string => join(folder, "last.json");

/**
 * Returns the ranks of perturbations after the last exam with this folder: first what it has found, then what it had no time
 * for and what the command did not do then, and then the others.
 */
async function readRanks(folder: string): Promise<(id: string) => number> {
  const last = parseObject(await readFile(lastFile(folder), "utf8").catch(() => null)) ?? {};
  const isIn = (ids: unknown, id: string) => Array.isArray(ids) && ids.includes(id);
  return (id) => (isIn(last.findings, id) ? 0 : isIn(last.settled, id) ? 2 : 1);
}

const idOf = ({ perturbation }: { perturbation: Perturbation }): string => perturbation.id;

/** Writes what was found, and everything for which there was time. */
const writeLast = (folder: string, { findings, tried, notTried }: Examined): Promise<void> => {
  const settled = [...tried, ...notTried.filter(({ reason }) => reason !== "budget")];
  const last = { findings: findings.map(idOf), settled: settled.map(idOf) };
  return writeInFolder("what was found", lastFile(folder), `${JSON.stringify(last, null, 2)}\n`);
};

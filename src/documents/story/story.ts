/** A story: the causes and effects of an activity as steps between participants, in the order of the account's clock. */
import type { ActivityEntry, ActivityExplanation } from "../../client/account/types.js";
import { formatLength, fromIso, second, toIso } from "../../time/instants.js";

/** Participants, from left to right. */
const lanes = ["person", "client", "service", "bank", "receiver"] as const;
export type Lane = (typeof lanes)[number];

export type StoryTone = "good" | "wait" | "bad" | "calm";

/** An arrow from one lane to another, or a note if it stays in its lane. */
export interface StoryLine {
  from: Lane;
  to: Lane;
  label: string;
  tone: StoryTone;
  isReply?: true;
  /** Wall-clock time until a reply, in ms. */
  took?: number;
}

/** One moment of the story: a call and its reply, or a note. */
export interface StoryStep {
  lines: readonly StoryLine[];
  /** Ms on the account's clock. */
  from: number;
  /** The last time, if it happened several times in a row. */
  until: number;
  /** How many times it happened in a row. */
  times: number;
  /** Ids of its activities. */
  ids: readonly string[];
}

/** Time in which nothing happened, in ms. */
interface Pause {
  pause: number;
}

export interface Story {
  lanes: readonly Lane[];
  rows: readonly (StoryStep | Pause)[];
}

/** Shorter pauses are not drawn. */
const shortestPauseMs = 10 * second;
/** Minimum number of equal steps in a row that are folded into a single step. */
const fewestRepetitions = 3;
/** Machines whose records a bank moves. */
const bankMachines: ReadonlySet<string> = new Set(["payment", "payout", "refund"]);

export const isPause = (row: StoryStep | Pause): row is Pause => "pause" in row;

/** Tells the story of an activity from its root on. Each activity of the explanation belongs to exactly one step. */
export const toStory = ({ causes, activity, effects }: ActivityExplanation): Story =>
  tell([...causes, activity, ...effects]);

/** Tells the story of activities. Expects each activity before its effects. */
export function tell(entries: readonly ActivityEntry[]): Story {
  const steps = foldSteps(toSteps(entries));
  const used = new Set(steps.flatMap(({ lines }) => lines.flatMap(({ from, to }) => [from, to])));
  return { lanes: lanes.filter((lane) => used.has(lane)), rows: withPauses(steps) };
}

/** Effects that took place during a call have its id, a dot and a number. */
const callOf = (id: string): string => id.replace(/(?:\.\d+)+$/, "");

/** A line of an activity, or the reply to a call, which comes after what the call did. */
interface Moment {
  at: number;
  call: string;
  id: string | null;
  /** Id of the due job that caused it and would only repeat it. */
  job?: string;
  lines: readonly StoryLine[];
}

/** Returns the jobs whose effect, a move or a call, already says what they do, by the id of the effect. */
function jobsByEffect(entries: readonly ActivityEntry[]): ReadonlyMap<string, string> {
  const jobs = new Set(entries.filter(({ kind }) => kind === "job").map(({ id }) => id));
  const found = new Map<string, string>();
  for (const { id, cause, kind, call } of entries)
    if (cause !== null && (kind === "move" || call) && jobs.delete(cause)) found.set(id, cause);
  return found;
}

function toSteps(entries: readonly ActivityEntry[]): StoryStep[] {
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  const calls = [...new Set(entries.map(({ id }) => callOf(id)))];
  const ends = new Map<string, number>();
  for (const { id, at } of entries) {
    const call = callOf(id);
    ends.set(call, Math.max(ends.get(call) ?? 0, fromIso(at) ?? 0));
  }
  const turns = new Map(calls.map((call, turn) => [call, turn]));
  const jobs = jobsByEffect(entries);
  const said = new Set(jobs.values());
  const moments = entries.flatMap((entry): Moment[] => {
    const { id, at, cause, call } = entry;
    if (said.has(id)) return [];
    const owner = callOf(id);
    const [line, reply] = linesOf(entry, known.get(cause ?? ""), owner);
    const job = jobs.get(id);
    const begun = { at: fromIso(at) ?? 0, call: owner, ...(job !== undefined && { job }) };
    if (!reply || !call) return [{ ...begun, id, lines: reply ? [line, reply] : [line] }];
    // A reply that waits is later on the account's clock; any other follows what its call did.
    const waited = /\breply_after=/.test(call.fault ?? "") ? (call.duration_ms ?? 0) : 0;
    const answered = { ...begun, at: (ends.get(owner) as number) + waited, id: null, lines: [reply] };
    return [{ ...begun, id, lines: [line] }, answered];
  });
  const turnOf = ({ call }: Moment): number => turns.get(call) as number;
  const isReply = ({ id }: Moment): number => (id === null ? 1 : 0);
  moments.sort(
    (one, other) => one.at - other.at || turnOf(one) - turnOf(other) || isReply(one) - isReply(other),
  );
  return joinReplies(moments).map(({ at, id, job, lines }) => ({
    lines,
    from: at,
    until: at,
    times: 1,
    ids: [job, id].filter((part) => typeof part === "string"),
  }));
}

/** Makes a call and its reply one moment where nothing is between them. */
function joinReplies(moments: readonly Moment[]): Moment[] {
  const joined: Moment[] = [];
  for (const moment of moments) {
    const before = joined.at(-1);
    if (moment.id === null && before?.id === moment.call)
      joined[joined.length - 1] = { ...before, lines: [...before.lines, ...moment.lines] };
    else joined.push(moment);
  }
  return joined;
}

/** Returns the lines of an activity. `owner` is the id of the request, job or call during which it took place. */
function linesOf(
  entry: ActivityEntry,
  cause: ActivityEntry | undefined,
  owner: string,
): [line: StoryLine, reply?: StoryLine] {
  const { kind, refs, title } = entry;
  switch (kind) {
    case "request":
      return callLines("client", title, entry);
    case "control":
    case "page":
      return callLines("person", entry.call?.does || title, entry);
    case "attempt":
      return attemptLines(entry);
    case "message":
      return cause?.refs.operation === "replyAsPerson"
        ? [{ from: "person", to: "service", label: title, tone: "calm" }]
        : [{ from: "service", to: "person", label: title, tone: "calm" }];
    case "move": {
      const isByJob = owner.startsWith("job_") || cause?.kind === "job";
      const from = isByJob && bankMachines.has(refs.machine ?? "") ? "bank" : "service";
      return [{ from, to: "service", label: title, tone: "calm" }];
    }
    default:
      return [{ from: "service", to: "service", label: title, tone: "calm" }];
  }
}

function callLines(
  caller: Lane,
  label: string,
  { call }: ActivityEntry,
): [line: StoryLine, reply?: StoryLine] {
  const line: StoryLine = { from: caller, to: "service", label, tone: "calm" };
  if (!call?.method) return [line];
  const { status, error_code, outcome, duration_ms, fault } = call;
  const result = status === null ? "no reply" : [status, error_code ?? outcome].filter(Boolean).join(" ");
  const answer = fault === null ? result : `${result} · ${fault}`;
  const reply: StoryLine = {
    from: "service",
    to: caller,
    label: answer,
    tone: toneOf(status),
    isReply: true,
  };
  return [line, duration_ms === null ? reply : { ...reply, took: duration_ms }];
}

function attemptLines({ title, attempt }: ActivityEntry): [line: StoryLine, reply?: StoryLine] {
  if (!attempt) return [{ from: "service", to: "receiver", label: title, tone: "calm" }];
  const { event, status, error } = attempt;
  const label = error ?? String(status);
  return [
    { from: "service", to: "receiver", label: event, tone: "calm" },
    { from: "receiver", to: "service", label, tone: error === null ? toneOf(status) : "bad", isReply: true },
  ];
}

/** Returns the tone of a status. Null stands for no reply. */
export function toneOf(status: number | null): StoryTone {
  if (status === null || status >= 500) return "bad";
  return status < 400 ? "good" : "wait";
}

/** Joins equal steps in a row, such as retries, except for the time that a reply took. */
function foldSteps(steps: readonly StoryStep[]): StoryStep[] {
  const groups: StoryStep[][] = [];
  const keyOf = ({ lines }: StoryStep) => JSON.stringify(lines.map(({ took: _took, ...line }) => line));
  for (const step of steps) {
    const group = groups.at(-1);
    if (group && keyOf(group[0] as StoryStep) === keyOf(step)) group.push(step);
    else groups.push([step]);
  }
  return groups.flatMap((group) => {
    if (group.length < fewestRepetitions) return group;
    const [first, last] = [group[0] as StoryStep, group.at(-1) as StoryStep];
    return [{ ...first, until: last.until, times: group.length, ids: group.flatMap(({ ids }) => ids) }];
  });
}

const withPauses = (steps: readonly StoryStep[]): (StoryStep | Pause)[] =>
  steps.flatMap((step, index) => {
    const pause = step.from - (steps[index - 1]?.until ?? step.from);
    return pause >= shortestPauseMs ? [{ pause }, step] : [step];
  });

/** Formats what a line says, with how long a reply took and how often the step happened: `503 · 4 ms (5 times in 36 min)`. */
export function formatLabel({ label, took }: StoryLine, { times, from, until }: StoryStep): string {
  const time = took === undefined ? "" : ` · ${Math.round(took)} ms`;
  const often = times < fewestRepetitions ? "" : ` (${times} times in ${formatLength(until - from)})`;
  return `${label}${time}${often}`;
}

/** Formats a story as lines of text, in the order of the picture. */
export const formatSteps = ({ rows }: Story): string[] =>
  rows.flatMap((row) =>
    isPause(row)
      ? [`${formatLength(row.pause)} later`]
      : row.lines.map((line) => {
          const who = line.from === line.to ? line.from : `${line.from} to ${line.to}`;
          return `${formatClock(row.from)} ${who}: ${formatLabel(line, row)}`;
        }),
  );

/** Formats a time on the account's clock as `10:00:00`, in UTC. */
export const formatClock = (ms: number): string => toIso(ms).slice(11, 19);

/** Escapes characters that have a meaning in Mermaid. */
const escaped = (text: string): string =>
  text.replaceAll(/[#;<>{}]|\s+/g, (found) => (/\s/.test(found) ? " " : `#${found.charCodeAt(0)};`));

/** Returns the arrow for a tone: it ends with a cross if the other side did not get what it should. */
function arrowOf({ isReply, tone }: StoryLine): string {
  if (tone === "bad") return isReply ? "--x" : "-x";
  return isReply ? "-->>" : "->>";
}

const formatLine = (line: StoryLine, step: StoryStep): string => {
  const label = escaped(formatLabel(line, step));
  return line.from === line.to
    ? `Note over ${line.from}: ${label}`
    : `${line.from}${arrowOf(line)}${line.to}: ${label}`;
};

/** Draws a story as a Mermaid sequence diagram, for documents. */
export function formatMermaid({ lanes, rows }: Story): string {
  const [first, last] = [lanes[0], lanes.at(-1)] as [Lane, Lane];
  const across = first === last ? first : `${first},${last}`;
  const lines = rows.flatMap((row) =>
    isPause(row)
      ? [`Note over ${across}: ${formatLength(row.pause)} later`]
      : row.lines.map((line) => formatLine(line, row)),
  );
  return [
    "sequenceDiagram",
    ...lanes.map((lane) => `  participant ${lane}`),
    ...lines.map((line) => `  ${line}`),
    "",
  ].join("\n");
}

/** The commands that make one call of the control API and print its reply as a table or a sentence: each is a row. */
import { buffer } from "node:stream/consumers";
import { type Command, InvalidArgumentError } from "commander";
import { formatExplanation } from "../../client/account/format.js";
import type { CallReply } from "../../client/client.js";
import { describeOtherEndpoints, singular } from "../../client/scenario-run/describe.js";
import { controlRoutes } from "../../contract/control-routes.js";
import { jsonOrText } from "../../contract/json.js";
import { formatNearest } from "../../contract/nearest.js";
import { decodeText, readTextFile, refuseEmpty } from "../../contract/read-file.js";
import { toAdvance } from "../../time/time.js";
import { commandGroup } from "../command-list.js";
import { CommandError, UsageError } from "../errors.js";
import { colors, formatCount, formatTable, toOneLine } from "../output/print.js";
import { type AnyRow, createCommand, row, rowOfResult, tableOf } from "./row.js";

/** Maximum number of jobs that are listed one by one without --verbose. */
const maxJobsListed = 20;

const heldExamples = [
  "standin held list",
  `standin held release req_… --status 504 --body '{"error":{"code":"provider_timeout"}}'`,
  "standin held drop dlv_…",
];
const heldId = { "<id>": "id of the list" };

const rows = {
  trigger: row({
    operation: "triggerEvent",
    examples: [
      "standin trigger payout.paid",
      `standin trigger payment.received --data '{"reference":"order-1","amount":5000}'`,
    ],
    operands: { "<event>": "event kind such as payout.paid; the error for an unknown one lists them all" },
    options: [["--data <json>", "data of the event, a JSON object (default: example data)"]],
    input: ({ operands: [event], flags: { data } }) => ({
      body: JSON.stringify({ event, ...(data === undefined ? {} : { data: parseData(data) }) }),
    }),
    text: async ({ id, event, hint = "" }, { api }) => {
      const { value } = await api.call("listDeliveries", { query: { event } });
      const urls = value.items.filter(({ event_id }) => event_id === id).map(({ url }) => url);
      if (urls.length === 0) return `${event} (${id}) was not sent. ${hint}`.trimEnd();
      const sent = `${event} (${id}) is sent to ${formatCount(urls.length, "endpoint")}:`;
      return [sent, ...urls.map((url) => `  ${toOneLine(url)}`)].join("\n");
    },
  }),

  advance: row({
    operation: "advanceClock",
    examples: ["standin advance 24h", "standin advance next", "standin advance 2031-01-31T09:00:00Z"],
    operands: {
      "<duration>": 'duration such as 90s, 1h30m or 7d; "next" for the next due job; or an ISO 8601 time',
    },
    options: [
      ["--verbose", `list every job (default: a summary by kind if there are more than ${maxJobsListed})`],
    ],
    input: ({ operands: [duration = ""] }) => ({ body: toAdvance(duration) }),
    waitsFor: "the jobs that fall due",
    reached: async (api) => `; now at ${(await api.call("getClock")).value.now}`,
    text: ({ now, ran }, { flags: { verbose } }) => {
      const clock = `The account's clock is at ${now}.`;
      if (ran.length === 0) return `${clock} No job fell due.`;
      const count = `${clock} ${formatCount(ran.length, "job")} ran`;
      if (!verbose && ran.length > maxJobsListed)
        return `${count} (--verbose lists them):\n\n${summariseJobs(ran)}`;
      const jobs = ran.map(({ at, says, id, error }) => [at, says ?? "", String(error ?? id ?? "")]);
      return `${count}:\n\n${formatTable(["at", "job", "id or error"], jobs)}`;
    },
  }),

  inbox: row({
    operation: "listMessages",
    examples: ["standin inbox", "standin inbox --to 08031234567 --channel sms"],
    options: [
      ["--to <recipient>", "only messages to this phone number or email address"],
      ["--channel <channel>", "only messages of this channel: sms, chat or email"],
    ],
    // The sandbox checks the channel.
    input: ({ flags: { to, channel } }) => ({ query: { to, channel: channel as "sms" | undefined } }),
    text: tableOf(
      {
        at: ({ created_at }) => created_at,
        channel: ({ channel }) => channel,
        to: ({ to }) => to,
        codes: ({ codes }) => codes.join(" ") || "-",
        text: ({ text }) => text,
      },
      ({ flags: { to, channel } }) =>
        to === undefined && channel === undefined
          ? "The inbox is empty."
          : "No message in the inbox matches.",
    ),
  }),

  explain: row({
    operation: "explainActivity",
    examples: [
      "standin explain req_4ag161h9000003",
      "standin explain evt_wvnggn0pgw671xj2fzxx",
      "standin explain req_4ag161h9000003 --svg > story.svg",
    ],
    notes: [
      `The line marked > is the activity itself. Its causes are above it, its effects below. The sandbox keeps
the last 1,000 requests of an account and their effects, until it stops.
--svg and --mermaid draw the whole story from its root on as a sequence diagram.`,
    ],
    operands: { "<id>": "id of a request, event, delivery, message, record or activity" },
    options: [
      ["--svg", "print a picture: a sequence diagram in SVG", { conflicts: ["mermaid", "json"] }],
      ["--mermaid", "print a sequence diagram in Mermaid, for documents", { conflicts: ["json"] }],
    ],
    input: ({ operands: [id = ""] }) => ({ params: { id } }),
    text: async (explanation, { operands: [id], flags: { svg, mermaid } }) => {
      if (!svg && !mermaid) return formatExplanation(explanation);
      const { formatMermaid, toStory } = await import("../../documents/story/story.js");
      if (mermaid) return formatMermaid(toStory(explanation));
      const { formatSvg } = await import("../../documents/story/picture.js");
      return formatSvg(toStory(explanation), `Story of ${id}`);
    },
  }),

  values: rowOfResult({
    operation: "listOutcomes",
    asksAny: true,
    examples: ["standin values", "standin values verifyBvn", "standin values payout"],
    operands: {
      "[operation]": "list all outcomes of this operation, or of those whose id or path contains this text",
    },
    result: ({ items }, { operands: [operation] }) => ({
      items: operation === undefined ? items : findOutcomes(items, operation),
    }),
    text: ({ items }, { operands: [operation] }) =>
      operation === undefined ? formatTestValues(items) : items.map(formatOutcomes).join("\n\n"),
  }),

  reset: row({
    operation: "resetAccount",
    examples: ["standin reset", "standin reset --key svc_test_another"],
    text: (_account, { api }) => `The account of ${api.key} has been reset.`,
  }),

  restore: row({
    operation: "restoreSnapshot",
    examples: ["standin restore paid.json", "standin restore paid.json --key svc_test_another"],
    operands: { "<file>": "file that standin snapshot wrote; - reads stdin" },
    input: async ({ operands: [file = ""] }) => ({ body: await readSnapshot(file) }),
    bodyName: ({ operands: [file = ""] }) => nameOfSnapshot(file),
    waitsFor: "the sandbox to restore the account",
    text: ({ now, records }) =>
      `${formatCount(records, "record")} restored. The clock is stopped at ${now}: nothing is sent until "standin advance" or ${controlRoutes.resumeClock}.`,
  }),

  "scenario load": row({
    operation: "playScenario",
    summary: "Load the state, rules and timeline of a scenario into an account of a running sandbox.",
    examples: ["standin scenario load demo-day", "standin scenario load ./my-story.yaml --keep"],
    operands: { "<scenario>": "name of a built-in scenario, or a file" },
    options: [
      ["--keep", "keep the state of the account (default: all but its webhook endpoints is deleted)"],
    ],
    input: async ({ operands: [name = ""], flags: { keep } }) => {
      const { readValidSource } = await import("../scenario/sources.js");
      return { query: { keep }, body: (await readValidSource(name)).scenario };
    },
    text: async ({ title, given, timeline }, { api }) => {
      const others = describeOtherEndpoints({ given }, (await api.call("listWebhooks")).value.items);
      const made = Object.entries(given).map(([section, value]) =>
        Array.isArray(value) ? formatSection(section, value.length) : section.replaceAll("_", " "),
      );
      const entries = timeline.map(({ says, next_at }) => [next_at ?? "-", says]).sort(byFirst);
      const table = entries.length === 0 ? "" : `\n\n${formatTable(["next at", "what happens"], entries)}`;
      const loaded = `Loaded ${title}${made.length === 0 ? "" : `: ${made.join(", ")}`}.${table}`;
      return others === "" ? loaded : `${loaded}\n\n${others}`;
    },
  }),

  "held list": row({
    operation: "listHeld",
    summary: "List the requests, replies and webhooks that rules hold.",
    examples: heldExamples,
    text: tableOf(
      {
        id: ({ id }) => id,
        held: ({ kind }) => kind,
        about: ({ operation, event }) => operation ?? event ?? "",
        target: ({ target }) => target,
        status: ({ status }) => (status === null ? "" : String(status)),
      },
      () => "Nothing is held.",
    ),
  }),

  "held release": row({
    operation: "releaseHeld",
    summary: "Release a held request, reply or webhook.",
    examples: heldExamples,
    operands: heldId,
    options: [
      ["--status <status>", "new status of a reply", { parse: parseStatus }],
      [
        "--header <header>",
        "header to set, such as X-Id: 7, or with nothing after the colon to leave out; repeatable",
        { parse: collectHeaders },
      ],
      ["--body <text>", "new body: JSON, or another text for a reply or a webhook"],
    ],
    input: ({ operands: [id = ""], flags: { status, header, body } }) => ({
      params: { id },
      body: {
        ...(status === undefined ? {} : { status }),
        ...(header === undefined ? {} : { headers: header }),
        ...(body === undefined ? {} : { body: jsonOrText(body) }),
      },
    }),
    text: ({ id, kind }) => `The ${kind} ${id} is released.`,
  }),

  "held drop": row({
    operation: "dropHeld",
    summary: "Drop a held request, reply or webhook.",
    examples: heldExamples,
    operands: heldId,
    input: ({ operands: [id = ""] }) => ({ params: { id } }),
    text: ({ id, kind }) => `The ${kind} ${id} is dropped.`,
  }),
};

/** Creates the command of a row. */
export const commandOfRow = (words: keyof typeof rows): Command =>
  createCommand(words, rows[words] as unknown as AnyRow);

export const heldCommand = (): Command =>
  commandGroup("held", heldExamples, [
    commandOfRow("held list"),
    commandOfRow("held release"),
    commandOfRow("held drop"),
  ]);

function parseData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      `--data must be a JSON object such as '{"amount":5000}'; ${(error as Error).message.split("\n")[0]}`,
    );
  }
}

/** Formats how many records of a section were made: `3 phone verifications`. */
const formatSection = (section: string, count: number): string => {
  const name = section.replaceAll("_", " ");
  return `${count} ${count === 1 ? singular(name) : name}`;
};

const byFirst = ([one = ""]: readonly string[], [other = ""]: readonly string[]): number =>
  one < other ? -1 : Number(one > other);

type Ran = CallReply<"advanceClock">["ran"];

/** Formats how often each kind of job ran, in the order of the first time. */
function summariseJobs(ran: Ran): string {
  const kinds = new Map<string, { count: number; first: string; last: string; example: string }>();
  for (const job of ran) {
    const name = describeJob(job);
    const { count, first, example } = kinds.get(name) ?? { count: 0, first: job.at, example: job.says ?? "" };
    kinds.set(name, { count: count + 1, first, last: job.at, example });
  }
  const lines = [...kinds].map(([name, { count, first, last, example }]) => [
    name,
    String(count),
    first,
    last,
    example,
  ]);
  return formatTable(["job", "count", "first", "last", "such as"], lines);
}

/** Describes a job by its kind alone: `payout: pay`, `webhook payout.paid: 204`. */
function describeJob({ kind, machine, move, do: action, event, status }: Ran[number]): string {
  if (kind === "delivery") return `webhook ${event}: ${status ?? "no answer"}`;
  const words = [machine, move ?? action].filter((word) => typeof word === "string");
  return (words.length === 0 ? kind : words.join(": ")).replaceAll("_", " ");
}

const nameOfSnapshot = (file: string): string =>
  file === "-" ? "the snapshot on stdin" : `the snapshot ${file}`;

async function readSnapshot(file: string): Promise<string> {
  const name = nameOfSnapshot(file);
  const document = file === "-" ? decodeText(await buffer(process.stdin)) : await readTextFile(file, name);
  refuseEmpty(document, name);
  return document;
}

function parseStatus(text: string): number {
  if (/^[2-5]\d\d$/.test(text)) return Number(text);
  throw new InvalidArgumentError("A status is a number from 200 to 599.");
}

function collectHeaders(text: string, previous: Record<string, string | null> = {}) {
  const [, name = "", value = ""] = /^([^:\s]+)\s*:\s*(.*)$/.exec(text) ?? [];
  if (name === "")
    throw new InvalidArgumentError("A header is a name, a colon and a value, such as X-Id: 7.");
  return { ...previous, [name]: value === "" ? null : value };
}

type Outcomes = CallReply<"listOutcomes">["items"][number];

/** Returns the operation with this id, or else all operations whose id or path contains the text. */
function findOutcomes(items: Outcomes[], wanted: string): Outcomes[] {
  const text = wanted.toLowerCase();
  const exact = items.filter(({ operation }) => operation.toLowerCase() === text);
  if (exact.length > 0) return exact;
  const partial = items.filter(({ operation, path }) => `${operation} ${path}`.toLowerCase().includes(text));
  if (partial.length > 0) return partial;
  const ids = items.map(({ operation }) => operation);
  throw new CommandError(
    `no operation has ${JSON.stringify(wanted)} in its id or path${formatNearest(wanted, ids)}; "standin values" lists those with test values`,
  );
}

function formatTestValues(items: readonly Outcomes[]): string {
  const rows = items.flatMap(({ operation, test_values }) =>
    test_values.map(({ where, value, outcome, note }) => [operation, where, value, outcome, note]),
  );
  return [
    formatTable(["operation", "where", "value", "outcome", "description"], rows),
    "",
    'The header X-Sandbox-Outcome triggers any outcome; "standin values OPERATION" lists the outcomes of an operation.',
  ].join("\n");
}

function formatOutcomes(item: Outcomes): string {
  const { operation, method, path, outcomes, test_values } = item;
  const valuesFor = (name: string) =>
    test_values
      .filter(({ outcome }) => outcome === name)
      .map(({ where, value }) => `${where} ${value}`)
      .join(", ");
  const rows = outcomes.map(({ name, description }) => [
    name === item.default ? `${name} (default)` : name,
    description,
    valuesFor(name) || "-",
  ]);
  return `${colors.bold(operation)}  ${method} ${path}\n\n${formatTable(["outcome", "description", "test values"], rows)}`;
}

/** Reads scenario files: YAML in, a checked scenario out, and errors that name file, line and column. */
import type { Document, LineCounter } from "yaml";
import type { AnyOperation } from "../contract/operation.js";
import { fromIso, parseDuration } from "../world/time/time.js";
import { scenarioProblems } from "./check-scenario.js";
import { formatProblem, type Problem } from "./problems.js";
import type { Scenario } from "./scenario-file.js";

export interface ScenarioError {
  file: string;
  /** From 1. */
  line: number;
  column: number;
  message: string;
}

/** A file that is no scenario; the message has a line for each thing that is wrong. */
export class InvalidScenario extends Error {
  constructor(readonly errors: readonly ScenarioError[]) {
    super(
      errors.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`).join("\n"),
    );
    this.name = "InvalidScenario";
  }
}

/** So many characters; any longer text is no story. */
const longest = 1_000_000;
const mostErrors = 20;
const nestedTooDeep = "is nested too deep";

/** Rejects with InvalidScenario. */
export async function parseScenario(
  text: string,
  file: string,
  operations: readonly AnyOperation[],
): Promise<Scenario> {
  const start = { file, line: 1, column: 1 };
  if (text.length > longest)
    throw new InvalidScenario([{ ...start, message: `is longer than ${longest} characters` }]);
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, logLevel: "error" });
  const wrong = [...document.errors, ...document.warnings, ...aliasesOfNothing(yaml, document)];
  const syntax = wrong.slice(0, mostErrors).map(({ message, pos }) => {
    const { line, col } = lines.linePos(pos[0]);
    return { file, line, column: col, message: saySyntax(message) };
  });
  const tooDeep = syntax.find(({ message }) => message === nestedTooDeep);
  if (syntax.length > 0) throw new InvalidScenario(tooDeep ? [tooDeep] : syntax);
  const value = toValue(document, (message) => {
    throw new InvalidScenario([{ ...start, message }]);
  });
  const problems = await scenarioProblems(value, operations);
  if (problems.length === 0) return value as Scenario;
  const errors = problems.map((problem) => {
    const message = formatProblem(problem) + hintFor(document, problem);
    return { file, ...positionOf(document, lines, problem.at), message };
  });
  throw new InvalidScenario(errors.sort((a, b) => a.line - b.line || a.column - b.column));
}

/** In the parser's words, without where it is and what only programmers can do about it. */
function saySyntax(message: string): string {
  const [told = ""] = (message.split(" at line ")[0] ?? "").split("\n");
  if (told.startsWith("Maximum call stack")) return nestedTooDeep;
  return told.replace(/;? ?please use YAML\..*$/i, "; a scenario file has one");
}

function aliasesOfNothing({ visit, isAlias }: typeof import("yaml"), document: Document) {
  const anchors = new Set<string>();
  const wrong: { message: string; pos: readonly [number] }[] = [];
  visit(document, {
    Node(_, node) {
      if (isAlias(node) && !anchors.has(node.source)) {
        const message = `*${node.source} names nothing: &${node.source} is not there, or comes later`;
        wrong.push({ message, pos: [node.range?.[0] ?? 0] });
      } else if ("anchor" in node && node.anchor) anchors.add(node.anchor);
    },
  });
  return wrong;
}

/** Aliases are resolved here: a few can stand for millions of values. */
function toValue(document: Document, refuse: (message: string) => never): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (!(error as Error).message.startsWith("Excessive alias")) throw error;
    return refuse("its aliases stand for far too much");
  }
}

/** Of the key, or of the nearest thing around it that is there. */
function positionOf(document: Document, lines: LineCounter, at: readonly string[]) {
  for (let depth = at.length; depth >= 0; depth--) {
    const start = startOf(document, at.slice(0, depth));
    if (start === null) continue;
    const { line, col } = lines.linePos(start);
    return { line, column: col };
  }
  return { line: 1, column: 1 };
}

interface Ranged {
  range?: readonly number[] | null;
}
interface Collection {
  items: ({ key?: Ranged & { value?: unknown }; value?: Ranged } & Ranged)[];
}

function startOf(document: Document, at: readonly string[]): number | null {
  if (at.length === 0) return (document.contents as Ranged | null)?.range?.[0] ?? 0;
  const outer = (
    at.length === 1 ? document.contents : document.getIn(at.slice(0, -1), true)
  ) as Collection | null;
  const last = at.at(-1) as string;
  const pair = outer?.items?.find(({ key }) => key && String(key.value) === last);
  const node = pair?.key ?? (outer?.items?.[Number(last)] as Ranged | undefined);
  return node?.range?.[0] ?? null;
}

/** A code that starts with a zero is a number to YAML unless it is quoted; a duration needs its unit, a time all of it. */
function hintFor(document: Document, { at, message, example = "" }: Problem): string {
  if (!message.startsWith("must be a string")) return "";
  const node = document.getIn(at, true) as { value?: unknown; source?: string } | undefined;
  if (typeof node?.value !== "number") return "";
  if (parseDuration(example) !== null)
    return `; a duration, such as ${parseDuration(`${node.value}s`) === null ? example : `${node.value}s`}`;
  if (fromIso(example) !== null) return `; a time, such as ${example}`;
  return `; put it in quotes: "${node.source ?? node.value}"`;
}

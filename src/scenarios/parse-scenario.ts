/** Parses and checks scenario files. Errors name file, line and column. */
import type { Document, LineCounter } from "yaml";
import type { AnyOperation } from "../contract/operation.js";
import { fromIso, parseDuration } from "../time/time.js";
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

/** Thrown when a file is not a valid scenario. The message has one line per error. */
export class InvalidScenario extends Error {
  constructor(readonly errors: readonly ScenarioError[]) {
    super(
      errors.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`).join("\n"),
    );
    this.name = "InvalidScenario";
  }
}

const maxCharacters = 1_000_000;
const maxSyntaxErrors = 20;
const nestedTooDeep = "is nested too deep";

/** Parses a scenario. Rejects with InvalidScenario if the text is not a valid scenario. */
export async function parseScenario(
  text: string,
  file: string,
  operations: readonly AnyOperation[],
): Promise<Scenario> {
  const start = { file, line: 1, column: 1 };
  if (text.length > maxCharacters)
    throw new InvalidScenario([{ ...start, message: `is longer than ${maxCharacters} characters` }]);
  if (text.trim() === "") throw new InvalidScenario([{ ...start, message: "is empty" }]);
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, logLevel: "error" });
  const wrong = [...document.errors, ...document.warnings, ...unknownAliases(yaml, document)];
  const syntax = wrong.slice(0, maxSyntaxErrors).map(({ message, pos }) => {
    const { line, col } = lines.linePos(pos[0]);
    return { file, line, column: col, message: describeSyntaxError(message) };
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

/** Returns the parser's message without the position and without advice for programmers. */
function describeSyntaxError(message: string): string {
  const [reason = ""] = (message.split(" at line ")[0] ?? "").split("\n");
  if (reason.startsWith("Maximum call stack")) return nestedTooDeep;
  return reason.replace(/;? ?please use YAML\..*$/i, "; a scenario file has one");
}

function unknownAliases({ visit, isAlias }: typeof import("yaml"), document: Document) {
  const anchors = new Set<string>();
  const wrong: { message: string; pos: readonly [number] }[] = [];
  visit(document, {
    Node(_, node) {
      if (isAlias(node) && !anchors.has(node.source)) {
        const message = `*${node.source} names nothing: &${node.source} is missing or comes later`;
        wrong.push({ message, pos: [node.range?.[0] ?? 0] });
      } else if ("anchor" in node && node.anchor) anchors.add(node.anchor);
    },
  });
  return wrong;
}

/** Resolves aliases. A few of them can expand to millions of values, which is refused. */
function toValue(document: Document, refuse: (message: string) => never): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (!(error as Error).message.startsWith("Excessive alias")) throw error;
    return refuse("its aliases expand to too many values");
  }
}

/** Returns the position of a key, or of the innermost existing value around it. */
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

/** Returns a hint for numbers in place of text: unquoted codes, durations without a unit, incomplete times. */
function hintFor(document: Document, { at, message, example = "" }: Problem): string {
  if (!message.startsWith("must be a string")) return "";
  const node = document.getIn(at, true) as { value?: unknown; source?: string } | undefined;
  if (typeof node?.value !== "number") return "";
  if (parseDuration(example) !== null)
    return `; a duration, such as ${parseDuration(`${node.value}s`) === null ? example : `${node.value}s`}`;
  if (fromIso(example) !== null) return `; a time, such as ${example}`;
  return `; put it in quotes: "${node.source ?? node.value}"`;
}

/**
 * Regular expressions from users. They run on RE2's algorithm, whose time grows linearly with the text. V8's engine may
 * take exponential time, and can crash the process while it compiles.
 */
import { RE2JS } from "re2js";

const maxPatternLength = 1_000;
/** Maximum number of instructions that a pattern may compile to. Repetitions such as `{500}` multiply it. */
const maxInstructions = 1_000;
/** Maximum nesting of groups, well within what the recursive parser can take. */
const maxNestedGroups = 100;

/** Number of instructions times characters that the patterns of one request or expectation may take: at most 0.4 s. */
const maxMatchingSteps = 20_000_000;
/** Cost of compiling a pattern, in matching steps per instruction. */
const compilationSteps = 50;

/** Thrown for a pattern, type or number that cannot be matched. */
export class InvalidPattern extends Error {
  constructor(
    readonly reason: string,
    /** Place in the value, as keys joined by dots. Empty for a text alone. */
    readonly at = "",
  ) {
    super(at === "" ? reason : `${at}: ${reason}`);
  }
}

/** Thrown when the patterns of one request or expectation would take more than their share of the process's time. */
export class MatchingBudgetSpent extends Error {}

/**
 * Work that the patterns of one request or expectation may take. It is counted in steps, so that the result does not
 * depend on a clock.
 */
export class MatchingBudget {
  #leftSteps = maxMatchingSteps;

  spend(steps: number): void {
    if (steps > this.#leftSteps) throw new MatchingBudgetSpent();
    this.#leftSteps -= steps;
  }
}

/** Syntax of JavaScript that the engine lacks. Escaped characters are skipped first. */
const unsupported: readonly [syntax: RegExp, message: string][] = [
  [
    /^\(\?<?[=!]/,
    "look-around such as (?=…) and (?!…) is not supported; !/…/ matches what a pattern does not",
  ],
  [/^\\(?:[1-9]|k)/, "back-references such as \\1 are not supported; write the repeated text out"],
  [/^\\u[dD][89a-fA-F]/, "surrogate pairs are not supported; write the character itself, or \\u{1F600}"],
  [/^\\[pP]\{\w+=/, "\\p{Script=Greek} and the like are not supported; write the value alone, \\p{Greek}"],
];

/** A regular expression that is matched against whole texts. */
export class LinearPattern {
  readonly #compiled: RE2JS;
  readonly #budget: MatchingBudget | null;

  /** Throws an InvalidPattern when the expression is invalid, too large, or uses syntax that is not supported. */
  constructor(source: string, budget: MatchingBudget | null) {
    checkSyntax(source);
    this.#compiled = compilePattern(source);
    this.#budget = budget;
    const instructions = this.#compiled.programSize();
    if (instructions > maxInstructions)
      throw new InvalidPattern(
        `the pattern has ${instructions} steps with its repetitions written out, above ${maxInstructions}; use + or * for long repetitions`,
      );
    budget?.spend(instructions * compilationSteps);
  }

  /** Throws a MatchingBudgetSpent when the text is too long for what is left of the budget. */
  matches(text: string): boolean {
    this.#budget?.spend(this.#compiled.programSize() * text.length);
    return this.#compiled.testExact(text);
  }
}

function checkSyntax(source: string): void {
  if (source.length > maxPatternLength)
    throw new InvalidPattern(`the pattern has ${source.length} characters, above ${maxPatternLength}`);
  let depth = 0;
  let isInClass = false;
  for (let i = 0; i < source.length; i++) {
    const rest = source.slice(i, i + 40);
    const found = unsupported.find(([syntax]) => (!isInClass || rest.startsWith("\\")) && syntax.test(rest));
    if (found) throw new InvalidPattern(found[1]);
    if (source[i] === "\\") i++;
    else if (isInClass) isInClass = source[i] !== "]";
    else if (source[i] === "[") isInClass = true;
    else if (source[i] === "(") depth++;
    else if (source[i] === ")") depth--;
    if (depth > maxNestedGroups) throw new InvalidPattern(`groups are nested deeper than ${maxNestedGroups}`);
  }
}

function compilePattern(source: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source));
  } catch (error) {
    const { message } = error as Error;
    throw new InvalidPattern(
      message.replace("error parsing regexp", "invalid regular expression").slice(0, 200),
    );
  }
}

/** Why an interaction failed, in words: what differs, which rule of the contract it meets, and which trap it may be. */
import type { AnyOperation } from "../../contract/operation.js";
import { type Promised, promiseOf, sayContract } from "./contract-hint.js";
import type { Visit } from "./interaction-run.js";
import type { CoreError, CoreMismatch } from "./run-verifier.js";

/** One sentence a thing that is wrong; hints stand after it. */
export function explain(
  { mismatch }: CoreError,
  visit: Visit | undefined,
  operations: readonly AnyOperation[],
): string[] {
  if (visit?.stateError) return [visit.stateError];
  if (visit?.messageError) return [visit.messageError];
  if (mismatch.type === "error") return [clean(mismatch.message)];
  const promise = visit ? promiseOf(visit, operations) : null;
  const told = telling(mismatch.mismatches, visit).toSorted(inOrder);
  return [...new Set(told.map((one) => sayMismatch(one, promise, visit)))];
}

/** Where the service has refused, all else follows from that. */
function telling(all: readonly CoreMismatch[], visit: Visit | undefined): readonly CoreMismatch[] {
  const status = all.filter(({ type }) => type === "StatusMismatch");
  return status.length > 0 && Number(visit?.answer?.status) >= 400 ? status : all;
}

const order = ["StatusMismatch", "BodyTypeMismatch", "HeaderMismatch", "MetadataMismatch"];
const rank = ({ type }: CoreMismatch): number => [...order, type].indexOf(type);

/** The verifier has no order of its own; body mismatches come last, by their path. */
const inOrder = (a: CoreMismatch, b: CoreMismatch): number =>
  rank(a) - rank(b) || (a.path ?? a.key ?? "").localeCompare(b.path ?? b.key ?? "");

function sayMismatch(mismatch: CoreMismatch, promise: Promised | null, visit: Visit | undefined): string {
  const { type, mismatch: why = "", expected, actual } = mismatch;
  switch (type) {
    case "StatusMismatch":
      return `status: expected ${show(expected)}, got ${show(actual)}${sayRefusal(visit)}${sayKeyTrap(mismatch)}`;
    case "HeaderMismatch":
      return `header ${mismatch.key}: ${withoutName(why)}${sayTrap(mismatch)}`;
    case "MetadataMismatch":
      return `metadata ${mismatch.key}: ${reworded(why.replace(/^.* - (?=Expected)/, ""))}${sayTrap(mismatch)}`;
    case "BodyTypeMismatch":
      return `content type: expected ${show(expected)}, got ${show(actual)}${sayRefusal(visit)}`;
    default:
      return `body ${mismatch.path ?? "$"}: ${reworded(why)}${sayContract(mismatch, promise)}${sayTrap(mismatch)}`;
  }
}

const clean = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
const show = (value: unknown): string =>
  (typeof value === "string" ? value : JSON.stringify(value)) ?? "nothing";

/** What the service said where it answered otherwise than expected. */
function sayRefusal(visit: Visit | undefined): string {
  try {
    const { error } = JSON.parse(visit?.answer?.body ?? "") as { error?: { code: string; message: string } };
    return error ? `; the service says ${error.code}: ${error.message}` : "";
  } catch {
    return "";
  }
}

/** The verifier says up to three times which header it is. */
function withoutName(why: string): string {
  if (/but was missing$/.test(why)) return "expected, and not there";
  const bare = why.replace(/^Mismatch with header '[^']*': /, "");
  return reworded(bare.replace(/^Expected header '[^']*'/, "Expected it"));
}

/** The verifier's commonest sentences, with what is expected before what came. */
const wordings: readonly [RegExp, string][] = [
  [/^Actual map is missing the following keys: (.+)$/, "there is no $1"],
  [/^Expected (.+ \(\w+\)) to be the same type as (.+ \(\w+\))$/, "expected the type of $2, got $1"],
  [/^Expected (.+ \(\w+\)) to be equal to (.+ \(\w+\))$/, "expected $2, got $1"],
  [/^Expected it to have value (.+) but was (.+)$/, "expected $1, got $2"],
  [/^Expected (.+) to match (.+)$/, "expected a match of $2, got $1"],
];

function reworded(why: string): string {
  const said = clean(why);
  const [pattern, wording] = wordings.find(([known]) => known.test(said)) ?? [said, said];
  return said.replace(pattern, wording);
}

const traps: readonly [RegExp, string][] = [
  [/to be a decimal/i, "the matcher decimal refuses whole numbers such as 12: use number"],
  [
    /to be an integer/i,
    "the matcher integer refuses 12.5 and, as text, 12: amounts are numbers with decimals",
  ],
  [/to match '|regex/i, "a regex matches the whole value: end it with .* where more may follow"],
  [
    /at least 1|minimum size|empty (?:List|Array)|to not be empty/i,
    "eachLike asks for one entry at least: name a state that makes one",
  ],
  [/to be equal to/i, "this value is compared exactly: use like() where only its type matters"],
];

function sayTrap({ mismatch = "" }: CoreMismatch): string {
  const trap = traps.find(([sign]) => sign.test(mismatch))?.[1];
  return trap ? ` (hint: ${trap})` : "";
}

const sayKeyTrap = ({ expected, actual }: CoreMismatch): string =>
  Number(expected) === 401 && Number(actual) < 400
    ? " (hint: every key is taken; one that ends in _invalid is refused)"
    : "";

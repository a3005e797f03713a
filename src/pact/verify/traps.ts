/** Traps of matchers and keys that many have stepped into: a hint for each. */
import type { CoreMismatch } from "./core.js";

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

export function sayTrap({ mismatch = "" }: CoreMismatch): string {
  const trap = traps.find(([sign]) => sign.test(mismatch))?.[1];
  return trap ? ` (hint: ${trap})` : "";
}

export const sayKeyTrap = ({ expected, actual }: CoreMismatch): string =>
  Number(expected) === 401 && Number(actual) < 400
    ? " (hint: every key is taken; one that ends in _invalid is refused)"
    : "";

/** The kobo of a whole multiple of NGN 100 ask for an outcome: test values `.05`, `.57`, `.59`, `.68`. */
import { toKobo } from "../../world/money/money.js";
import { testValueOutcome } from "../test-values.js";

export function koboOutcome(operation: string, naira: number | undefined): string | undefined {
  const kobo = naira === undefined ? null : toKobo(naira);
  if (kobo === null || kobo < 100_00 || Math.floor(kobo / 100) % 100 !== 0) return undefined;
  return testValueOutcome(operation, "kobo", `.${String(kobo % 100).padStart(2, "0")}`);
}

/** Amounts are whole kobo internally and decimal naira in the API. */

export type Kobo = number;

/** Opening balance of a wallet in kobo: NGN 1,000,000 of play money. */
export const openingBalance: Kobo = 100_000_000;

export const toNaira = (kobo: Kobo): number => kobo / 100;

/** Largest rounding error, in naira, of an amount that a client has computed: 0.1 + 0.2 is 0.30000000000000004. */
const roundingNaira = 1e-6;

/**
 * Converts naira to kobo. Returns null for more than two decimals and for values that are not finite or not exact.
 * Differences below a millionth of a naira are rounded.
 */
export function toKobo(naira: number): Kobo | null {
  const kobo = Math.round(naira * 100);
  return Number.isSafeInteger(kobo) && Math.abs(kobo / 100 - naira) < roundingNaira ? kobo : null;
}

/** Returns `total` × `part` / `whole`, rounded half up to the kobo, without overflow. Takes whole numbers from 0. */
export function prorate(total: Kobo, part: Kobo, whole: Kobo): Kobo {
  const [t, p, w] = [BigInt(total), BigInt(part), BigInt(whole)];
  return Number((2n * t * p + w) / (2n * w));
}

/** Formats kobo as naira with separators: `NGN 1,250.50`. */
export function formatNaira(kobo: Kobo): string {
  const [naira = "", decimals] = toNaira(kobo).toFixed(2).split(".");
  return `NGN ${formatNumber(naira)}.${decimals}`;
}

/** Formats a whole number with separators, such as `1,250`. The first use of Intl would take a tenth of a cold start. */
export const formatNumber = (number: number | string): string =>
  String(number).replace(/\B(?=(\d{3})+$)/g, ",");

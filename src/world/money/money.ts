/** Money is a whole number of kobo inside and decimal naira outside. */

export type Kobo = number;

export const toNaira = (kobo: Kobo): number => kobo / 100;

/** Exact for up to two decimals; null for more decimals, for what is not finite and beyond what is exact. */
export function toKobo(naira: number): Kobo | null {
  const kobo = Math.round(naira * 100);
  return Number.isSafeInteger(kobo) && kobo / 100 === naira ? kobo : null;
}

/** `total` × `part` / `whole`, rounded half up to the kobo; exact, whatever the size. Whole numbers from 0. */
export function prorate(total: Kobo, part: Kobo, whole: Kobo): Kobo {
  const [t, p, w] = [BigInt(total), BigInt(part), BigInt(whole)];
  return Number((2n * t * p + w) / (2n * w));
}

/** `1,250.50`, for sentences. */
export const formatNaira = (kobo: Kobo): string =>
  `NGN ${toNaira(kobo).toLocaleString("en-NG", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

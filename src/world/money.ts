/** Money is a whole number of kobo inside and decimal naira outside. */

export type Kobo = number;

export const toNaira = (kobo: Kobo): number => kobo / 100;

/** Exact for up to two decimals; null for more decimals, for what is not finite and beyond what is exact. */
export function toKobo(naira: number): Kobo | null {
  const kobo = Math.round(naira * 100);
  return Number.isSafeInteger(kobo) && kobo / 100 === naira ? kobo : null;
}

/** `1,250.50`, for sentences. */
export const sayNaira = (kobo: Kobo): string =>
  `NGN ${toNaira(kobo).toLocaleString("en-NG", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

/** The interface's figures (Limits; "Business payments") in whole kobo, computed without the code under test. */

export type Kobo = number;

export const receiveLimit: Kobo = 5_000_000_00;
export const payoutFee: Kobo = 50_00;
export const leastCharge: Kobo = 100_00;
export const mostCharge: Kobo = 5_000_000_00;
/** Assumption business.transfers. */
export const leastTransfer: Kobo = 1;
export const mostTransfer: Kobo = 1_000_000_000_00;

/** NGN 50 below NGN 5,000 but at most the payment, otherwise one percent, rounded half up. */
export const feeOf = (amount: Kobo): Kobo =>
  amount < 5_000_00 ? Math.min(50_00, amount) : Math.floor((amount + 50) / 100);

/** Returns the fee on a part of a payment, rounded half up (assumption business.refund). */
export function feeOn(part: Kobo, amount: Kobo): Kobo {
  const [exact, whole] = [BigInt(feeOf(amount)) * BigInt(part), BigInt(amount)];
  return Number(exact / whole) + (2n * (exact % whole) >= whole ? 1 : 0);
}

export const naira = (kobo: Kobo): number => kobo / 100;

/** Formats an amount for counterexamples. */
export const formatNaira = (kobo: Kobo): string => String(naira(kobo));

/** Returns the code that refuses an amount, or null. */
export function amountProblem(kobo: Kobo, least: Kobo, most: Kobo): string | null {
  if (kobo < least || kobo > most) return "amount_out_of_range";
  return Number.isInteger(kobo) ? null : "amount_not_in_kobo";
}

/** Returns which of these outcomes the kobo of a multiple of NGN 100 select. */
export const asked = <O>(kobo: Kobo, outcomes: Readonly<Record<number, O>>): O | undefined =>
  kobo >= 100_00 && kobo % 100_00 < 100 ? outcomes[kobo % 100_00] : undefined;

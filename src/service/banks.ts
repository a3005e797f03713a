/** Banks (fixtures/banks.json) and the check digit of their account numbers (NUBAN). */
import fixture from "../../fixtures/banks.json" with { type: "json" };
import type { Assumptions } from "./assumptions.js";

export interface Bank {
  /** Central-bank code: three digits for a bank, five or six for other institutions. */
  code: string;
  name: string;
  /** Other codes in circulation, such as the six digits of the inter-bank network. */
  other_codes: readonly string[];
}

export const banks: readonly Bank[] = fixture.banks;

const byCode = new Map(banks.flatMap((bank) => [bank.code, ...bank.other_codes].map((code) => [code, bank])));

/** Codes that are accepted without being listed. There are too many microfinance and digital banks to list. */
const unlistedCodes = {
  refused: /^(?!0+$)\d{5,6}$/,
  named: /^(?!0+$)(?:\d{3}|\d{5,6})$/,
} as const satisfies Record<Assumptions["banks"], RegExp>;

/** Returns whether operations accept the code (assumption banks). */
export const isBankCode = (code: string, assumptions: Assumptions): boolean =>
  byCode.has(code) || unlistedCodes[assumptions.banks].test(code);

/** Returns the bank with this code. A bank that is not listed is named after its code. */
export const bankOf = (code: string): Bank =>
  byCode.get(code) ?? { code, name: `Bank ${code}`, other_codes: [] };

const weights = [3, 7, 3];

/** Returns the tenth digit of an account number: the digits of bank code and nine-digit serial, weighted 3 7 3. */
export function nubanCheckDigit(bankCode: string, serial: string): number {
  const code = bankOf(bankCode).code;
  const digits = (code.length === 5 ? `9${code}` : code.padStart(6, "0")) + serial;
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (weights[at % 3] ?? 0), 0);
  return (10 - (sum % 10)) % 10;
}

/**
 * Returns whether the check digit fits the bank. Mobile-money institutions use phone numbers as account numbers, so a
 * lookup must not refuse a number that fails this test.
 */
export const isNuban = (bankCode: string, accountNumber: string): boolean =>
  /^\d{10}$/.test(accountNumber) &&
  nubanCheckDigit(bankCode, accountNumber.slice(0, 9)) === Number(accountNumber[9]);

/** Finds the owner of a bank account, and the account name at the bank. */
import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account/account.js";
import type { Assumptions } from "../assumptions.js";
import { bankOf, isBankCode } from "../banks.js";
import type { BankAccount, Person } from "../people/person.js";
import { findPerson, type Inventor } from "../people/registry.js";

interface AccountCall {
  account: Account;
  assumptions: Assumptions;
  prepared: Inventor;
}

export interface AccountOwner {
  person: Person;
  account_name: string;
}

export interface KnownAccount {
  /** Whether a known person has this account number, at this or another bank. */
  isKnown: boolean;
  /** Known person who has this account number at this bank; null if there is none. */
  owner: AccountOwner | null;
}

/** Finds the known owner of an account. Refuses an unknown bank with 400 invalid_bank_code. */
export function findAccountOwner(call: AccountCall, bank_code: string, account_number: string): KnownAccount {
  if (!isBankCode(bank_code, call.assumptions)) {
    const message = `bank_code must be a central-bank code in use, such as 058; got ${JSON.stringify(bank_code)}.`;
    return refuse("invalid_bank_code", { param: "bank_code", message });
  }
  const person = findPerson(call.account, "account", account_number)?.person;
  const held = person && findAccount(person, account_number);
  const isHere = held !== undefined && bankOf(held.bank_code).code === bankOf(bank_code).code;
  const owner = person && isHere ? { person, account_name: held.account_name } : null;
  return { isKnown: person !== undefined, owner };
}

/** Invents an owner, with the given names if any, for an account that belongs to no known person. */
export function inventAccountOwner(
  { account, prepared }: AccountCall,
  bank_code: string,
  account_number: string,
  names: Partial<Person> = {},
): AccountOwner {
  const given = { ...names, account: { bank_code, account_number } };
  const person = prepared.personBehind(account.origin.seed, "account", account_number, given);
  return { person, account_name: findAccount(person, account_number)?.account_name ?? "" };
}

const findAccount = ({ bank_accounts }: Person, number: string): BankAccount | undefined =>
  bank_accounts.find(({ account_number }) => account_number === number);

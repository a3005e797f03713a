/** Whose a bank account is, and under which name the bank keeps it. */
import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account.js";
import { findBank } from "../banks.js";
import type { Inventor } from "../people/inventor.js";
import type { BankAccount, Person } from "../people/person.js";
import { findPerson } from "../people/registry.js";

/** What the look-up of an account needs of its call. */
interface AccountCall {
  account: Account;
  prepared: Inventor;
}

export interface Owner {
  person: Person;
  account_name: string;
}

export interface KnownAccount {
  /** Somebody is known to have this number, be it at another bank. */
  isKnown: boolean;
  /** Who has it at this bank; null: nobody is known to. */
  owner: Owner | null;
}

export function knownOwner(call: AccountCall, bank_code: string, account_number: string): KnownAccount {
  const bank = findBank(bank_code);
  if (!bank) {
    const message = `bank_code must be a central-bank code in use, such as 058; ${JSON.stringify(bank_code)} is not.`;
    return refuse("invalid_bank_code", { param: "bank_code", message });
  }
  const person = findPerson(call.account, "account", account_number)?.person;
  const held = person && accountOf(person, account_number);
  const isHere = held !== undefined && findBank(held.bank_code) === bank;
  const owner = person && isHere ? { person, account_name: held.account_name } : null;
  return { isKnown: person !== undefined, owner };
}

/** Who has the account while nobody is known to: somebody with these names, where some are given. */
export function inventedOwner(
  { account, prepared }: AccountCall,
  bank_code: string,
  account_number: string,
  names: Partial<Person> = {},
): Owner {
  const given = { ...names, account: { bank_code, account_number } };
  const person = prepared.personBehind(account.origin.seed, "account", account_number, given);
  return { person, account_name: accountOf(person, account_number)?.account_name ?? "" };
}

const accountOf = ({ bank_accounts }: Person, number: string): BankAccount | undefined =>
  bank_accounts.find(({ account_number }) => account_number === number);

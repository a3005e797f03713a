/** A person whom every lookup agrees about: fixtures/people.json and POST /_sandbox/people. */
export interface Person {
  first_name: string;
  middle_name: string | null;
  last_name: string;
  /** YYYY-MM-DD. */
  date_of_birth: string;
  gender: "male" | "female";
  /** E.164. */
  phone_number: string;
  /** 11 digits. */
  bvn: string;
  /** 11 digits. */
  nin: string;
  licence: Licence | null;
  bank_accounts: readonly BankAccount[];
  address: string;
  /**
   * A short lower-case word of letters, digits and hyphens: an uploaded photo whose file name contains it shows this
   * person ("adaeze-licence.png").
   */
  face: string;
}

/** A driver's licence of the road safety corps (FRSC). */
export interface Licence {
  number: string;
  status: "valid" | "expired" | "suspended";
  /** "B" private car, "C" light commercial … */
  class: string;
  state_of_issue: string;
  /** YYYY-MM-DD. */
  expiry_date: string;
}

export interface BankAccount {
  /** The central bank's code, as in fixtures/banks.json. */
  bank_code: string;
  account_number: string;
  /** As the bank writes it: often the family name first, in capitals, without diacritics. */
  account_name: string;
}

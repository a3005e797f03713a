/** A person with consistent details in every lookup: from fixtures/people.json, registered, or invented. */
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
   * Lower-case word of letters, digits and hyphens. A photo whose file name contains it shows this person
   * ("adaeze-licence.png").
   */
  face: string;
}

/** A driver's licence of the road safety corps (FRSC). */
export interface Licence {
  number: string;
  status: "valid" | "expired" | "suspended";
  /** "B" for private cars, "C" for light commercial vehicles … */
  class: string;
  state_of_issue: string;
  /** YYYY-MM-DD. */
  expiry_date: string;
}

export interface BankAccount {
  /** Central-bank code, as in fixtures/banks.json. */
  bank_code: string;
  account_number: string;
  /** Name that the bank has: often the family name first, in capitals, without diacritics. */
  account_name: string;
}

/** Returns "Adaeze Ngozi Okafor". */
export const fullName = ({ first_name, middle_name, last_name }: Person): string =>
  [first_name, middle_name, last_name].filter(Boolean).join(" ");

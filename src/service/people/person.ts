/** A person with consistent details in every lookup: from fixtures/people.json, registered, or invented. */
import type { Static } from "typebox";
import type { BankAccountView, LicenceView, PersonDetails } from "./schemas.js";

export type Person = Static<typeof PersonDetails>;
export type Licence = Static<typeof LicenceView>;
export type BankAccount = Static<typeof BankAccountView>;

/** Returns "Adaeze Ngozi Okafor". */
export const fullName = ({ first_name, middle_name, last_name }: Person): string =>
  [first_name, middle_name, last_name].filter(Boolean).join(" ");

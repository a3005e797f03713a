/** Registers a person: what is given is kept, what is left out is invented so that nobody else is known by it. */
import type { Account } from "../../world/account.js";
import { findBank } from "../banks.js";
import { freeFace, toFace } from "./faces.js";
import { normalNumber } from "./identity-numbers.js";
import type { Given } from "./invent.js";
import { fullName } from "./names.js";
import type { Person } from "./person.js";
import {
  type KnownPerson,
  type Mark,
  marksOf,
  type RegisteredPerson,
  registerPerson,
  whoHas,
} from "./registry.js";
import type { RegisterPersonInput } from "./schemas.js";

/** A number or face that was given belongs to somebody already. */
export interface Taken {
  mark: Mark;
  owner: KnownPerson;
}

export type Invent = typeof import("./invent.js").inventPerson;

/** Inside a commit. The input has no problems (problems.ts). */
export function register(
  account: Account,
  input: RegisterPersonInput,
  invent: Invent,
): { registered: RegisteredPerson } | { taken: Taken } {
  const given = givenBy(account, input);
  for (;;) {
    const person = invent(account.random, given);
    const taken = firstTaken(account, person);
    if (taken === null) return { registered: registerPerson(account, person) };
    const [field = ""] = taken.mark.param.split(".");
    if (Object.hasOwn(input, field)) return { taken };
  }
}

function firstTaken(account: Account, person: Person): Taken | null {
  for (const mark of marksOf(person)) {
    const owner = whoHas(account, mark);
    if (owner) return { mark, owner };
  }
  return null;
}

/** "Adaeze Okafor, a fixture person". */
export const sayOwner = ({ person, source }: KnownPerson): string =>
  `${fullName(person)}, ${source === "fixture" ? "one of the fixture people" : `registered as ${person.id}`}`;

/** The input with its numbers and face written the normal way. */
function givenBy(account: Account, input: RegisterPersonInput): Given {
  const { phone_number, licence, bank_accounts, face, ...rest } = input;
  return {
    ...rest,
    middle_name: input.middle_name ?? null,
    ...(phone_number === undefined ? {} : { phone_number: normal("phone", phone_number) }),
    ...(licence === undefined ? {} : { licence: licence && givenLicence(account, licence) }),
    ...(bank_accounts === undefined ? {} : { bank_accounts: bank_accounts.map(atItsBank) }),
    face: face === undefined ? findFace(account, input) : toFace(face),
  };
}

const normal = (kind: "phone" | "licence", text: string): string => normalNumber(kind, text) ?? text;

type GivenLicence = NonNullable<RegisterPersonInput["licence"]>;

function givenLicence({ clock }: Account, licence: GivenLicence): GivenLicence {
  const isOver = licence.expiry_date !== undefined && licence.expiry_date < clock.today();
  return { ...(isOver ? { status: "expired" } : {}), ...licence, number: normal("licence", licence.number) };
}

/** Banks have other codes too; people have the central bank's. */
const atItsBank = <A extends { bank_code: string }>(bankAccount: A): A => ({
  ...bankAccount,
  bank_code: findBank(bankAccount.bank_code)?.code ?? bankAccount.bank_code,
});

const findFace = (account: Account, { first_name, last_name }: RegisterPersonInput): string =>
  freeFace(
    first_name,
    last_name,
    (value) => whoHas(account, { kind: "face", value }) !== null,
    () => account.random.digits(4),
  );

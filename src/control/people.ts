import * as Type from "typebox";
import type { RefusalOptions } from "../contract/errors.js";
import {
  guessKind,
  KnownPersonView,
  type NumberKind,
  normalNumber,
  numberForms,
  numberKinds,
  PersonBehindQuery,
  PersonBehindView,
  RegisteredPersonView,
  RegisterPersonBody,
} from "../service/people/person.js";
import { createPerson } from "../service/people/registration.js";
import { findPerson, knownPeople } from "../service/people/registry.js";
import type { Account } from "../world/account/account.js";
import { collection } from "./collection.js";
import { operation } from "./operation.js";

export const registerPerson = operation({
  id: "registerPerson",
  summary: "Register a person for all lookups; omitted fields are invented",
  body: RegisterPersonBody,
  reply: { 201: RegisteredPersonView },
  refuses: ["invalid_phone", "invalid_bank_code", "validation_error", "duplicate_reference"],

  async handle({ account, body, sandbox }) {
    const { inventPerson } = await import("../service/people/invent.js");
    return account.commit("control", () => createPerson(account, body, sandbox.assumptions, inventPerson));
  },
});

export const { list: listPeople } = collection({
  of: KnownPersonView,
  paging: "whole",
  items: ({ account }) => knownPeople(account),
  view: ({ source, person }) => ({ source, ...person }),
  list: {
    id: "listPeople",
    summary:
      "List the known people: registered people, newest first, then the people in fixtures/people.json",
  },
});

/** Error code of a number that is malformed for its kind. */
const malformed = {
  bvn: "invalid_bvn",
  nin: "invalid_nin",
  licence: "invalid_licence_number",
  phone: "invalid_phone",
  account: "invalid_account_number",
} as const satisfies Record<NumberKind, string>;

type Refuse = (code: (typeof malformed)[NumberKind] | "validation_error", options: RefusalOptions) => never;

/** Returns the requested kind, else the kind of a known person with this number, else the most likely kind by its form. */
function kindBehind(
  account: Account,
  text: string,
  wanted: NumberKind | undefined,
  refuse: Refuse,
): NumberKind {
  const shown = JSON.stringify(text.slice(0, 60));
  if (wanted !== undefined) {
    const message = `number must have the form of a ${wanted}; ${shown} does not. The forms are ${numberForms}.`;
    return normalNumber(wanted, text) === null
      ? refuse(malformed[wanted], { param: "number", message })
      : wanted;
  }
  const message = `number must have one of these forms: ${numberForms}; got ${shown}.`;
  const known = numberKinds.find((kind) => findPerson(account, kind, text));
  return known ?? guessKind(text) ?? refuse("validation_error", { param: "number", message });
}

export const getPerson = operation({
  id: "getPerson",
  summary: "Get the person behind a number: a known person, or the person that lookups would invent",
  params: Type.Object({ number: Type.String() }),
  query: PersonBehindQuery,
  reply: { 200: PersonBehindView },
  refuses: [...Object.values(malformed), "validation_error"],

  async handle({ account, params, query, refuse }) {
    const kind = kindBehind(account, params.number, query.kind, refuse);
    const number = normalNumber(kind, params.number) as string;
    const known = findPerson(account, kind, number);
    if (known) return { number, kind, ...known };
    const { personBehind } = await import("../service/people/invent.js");
    const person = personBehind(account.origin.seed, kind, number);
    return { number, kind, source: "invented" as const, person };
  },
});

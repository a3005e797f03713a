/** Who is known: the people whom the tester registered on an account, and those of fixtures/people.json. */
import fixture from "../../../fixtures/people.json" with { type: "json" };
import type { Account } from "../../world/account.js";
import { facesIn } from "./faces.js";
import { type NumberKind, normalNumber } from "./identity-numbers.js";
import type { Person } from "./person.js";

export type { NumberKind } from "./identity-numbers.js";

export interface RegisteredPerson extends Person {
  id: string;
}

export interface KnownPerson {
  /** Those who are registered have an id. */
  person: Person & Partial<Pick<RegisteredPerson, "id">>;
  source: "registered" | "fixture";
}

const fixturePeople = fixture.people as readonly Person[];

/** Something by which a person is found, and the field that it stands in. */
export interface Mark {
  param: string;
  kind: NumberKind | "face";
  value: string;
}

export const marksOf = (person: Person): Mark[] => [
  { param: "bvn", kind: "bvn", value: person.bvn },
  { param: "nin", kind: "nin", value: person.nin },
  { param: "phone_number", kind: "phone", value: person.phone_number },
  ...(person.licence
    ? [{ param: "licence.number", kind: "licence", value: person.licence.number } as const]
    : []),
  ...person.bank_accounts.map(({ account_number }, at) => ({
    param: `bank_accounts.${at}.account_number`,
    kind: "account" as const,
    value: account_number,
  })),
  { param: "face", kind: "face", value: person.face },
];

const keyOf = ({ kind, value }: Pick<Mark, "kind" | "value">): string => `${kind}:${value}`;

let fixtures: ReadonlyMap<string, Person> | undefined;

const fixtureIndex = (): ReadonlyMap<string, Person> => {
  fixtures ??= new Map(
    fixturePeople.flatMap((person) => marksOf(person).map((mark) => [keyOf(mark), person])),
  );
  return fixtures;
};

interface IndexEntry {
  person_id: string;
}

function registeredAs(account: Account, key: string): KnownPerson | null {
  const entry = account.state.get<IndexEntry>("people_index", key);
  const person = entry && account.state.get<RegisteredPerson>("people", entry.person_id);
  return person ? { person, source: "registered" } : null;
}

function fixtureAs(key: string): KnownPerson | null {
  const person = fixtureIndex().get(key);
  return person ? { person, source: "fixture" } : null;
}

/** Whoever has this mark. Registered people win over fixture ones. */
export function whoHas(account: Account, mark: Pick<Mark, "kind" | "value">): KnownPerson | null {
  const key = keyOf(mark);
  return registeredAs(account, key) ?? fixtureAs(key);
}

/** The person with this number, in whatever notation; an account's ten digits count whatever the bank. */
export function findPerson(account: Account, kind: NumberKind, number: string): KnownPerson | null {
  const value = normalNumber(kind, number);
  return value === null ? null : whoHas(account, { kind, value });
}

/**
 * The person whose face stands in the file name, as whole words. Registered people win over fixture ones, then longer
 * faces over shorter ones.
 */
export function personShown(account: Account, filename: string): KnownPerson | null {
  const keys = facesIn(filename).map((value) => keyOf({ kind: "face", value }));
  return firstOf(keys, (key) => registeredAs(account, key)) ?? firstOf(keys, fixtureAs);
}

function firstOf(keys: readonly string[], find: (key: string) => KnownPerson | null): KnownPerson | null {
  for (const key of keys) {
    const found = find(key);
    if (found) return found;
  }
  return null;
}

/** Inside a commit. The person's marks are written the normal way and belong to nobody yet. */
export function registerPerson(account: Account, person: Person): RegisteredPerson {
  const registered = { id: account.random.id("person_"), ...person };
  account.state.put("people", registered.id, registered);
  const entry: IndexEntry = { person_id: registered.id };
  for (const mark of marksOf(person)) account.state.put("people_index", keyOf(mark), entry);
  return registered;
}

/** Registered people, newest first, then the fixture ones. */
export const knownPeople = (account: Account): KnownPerson[] => [
  ...[...account.state.newest<RegisteredPerson>("people")].map((person) => known(person, "registered")),
  ...fixturePeople.map((person) => known(person, "fixture")),
];

const known = (person: KnownPerson["person"], source: KnownPerson["source"]): KnownPerson => ({
  person,
  source,
});

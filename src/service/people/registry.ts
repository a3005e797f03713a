/** The people that lookups know: the people registered on an account and the people of fixtures/people.json. */

import fixture from "../../../fixtures/people.json" with { type: "json" };
import type { Account } from "../../world/account/account.js";
import { table } from "../../world/store/table.js";
import { loadOnce } from "../operation.js";
import { facesIn, type NumberKind, normalNumber, type Person, type RegisterPersonInput } from "./person.js";

export type Inventor = typeof import("./invent.js");

/** Loads the inventor of unknown people, for an operation's `prepare`. */
export const loadInventor = loadOnce<Inventor>(() => import("./invent.js"));

export interface RegisteredPerson extends Person {
  id: string;
  /** Fixed one-time code. */
  code?: string;
}

export interface KnownPerson {
  /** The person. Only registered people have an id, and some of them a fixed code. */
  person: Person & Partial<Pick<RegisteredPerson, "id" | "code">>;
  source: "registered" | "fixture";
}

const fixturePeople = fixture.people as readonly Person[];

/** A number or face that identifies a person, and the field that holds it. */
export interface IdentifyingMark {
  param: string;
  kind: NumberKind | "face";
  value: string;
}

/** The numbers and the face of a person, as far as they are given. */
type Marked = Pick<RegisterPersonInput, "bvn" | "nin" | "phone_number" | "face"> & {
  licence?: { number: string } | null;
  bank_accounts?: readonly { account_number: string }[];
};

export function marksOf({ bank_accounts = [], ...person }: Marked): IdentifyingMark[] {
  type Mark = [param: string, kind: IdentifyingMark["kind"], value: string | undefined];
  const accounts = bank_accounts.map(
    ({ account_number }, at): Mark => [`bank_accounts.${at}.account_number`, "account", account_number],
  );
  const marks: Mark[] = [
    ["bvn", "bvn", person.bvn],
    ["nin", "nin", person.nin],
    ["phone_number", "phone", person.phone_number],
    ["licence.number", "licence", person.licence?.number],
    ...accounts,
    ["face", "face", person.face],
  ];
  return marks.flatMap(([param, kind, value]) => (value === undefined ? [] : { param, kind, value }));
}

const keyOf = ({ kind, value }: Pick<IdentifyingMark, "kind" | "value">): string => `${kind}:${value}`;

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

export const people = table<RegisteredPerson>("people");
/** The ids of people, by mark. */
export const peopleIndex = table<IndexEntry>("people_index");

function registeredAs(account: Account, key: string): KnownPerson | null {
  const entry = account.state.get(peopleIndex, key);
  const person = entry && account.state.get(people, entry.person_id);
  return person ? { person, source: "registered" } : null;
}

function fixtureAs(key: string): KnownPerson | null {
  const person = fixtureIndex().get(key);
  return person ? { person, source: "fixture" } : null;
}

/** Finds the person with this mark. Registered people take precedence over fixture people. */
export function findByMark(
  account: Account,
  mark: Pick<IdentifyingMark, "kind" | "value">,
): KnownPerson | null {
  const key = keyOf(mark);
  return registeredAs(account, key) ?? fixtureAs(key);
}

/** Finds the person with this number, in any notation. An account number is found regardless of its bank. */
export function findPerson(account: Account, kind: NumberKind, number: string): KnownPerson | null {
  const value = normalNumber(kind, number);
  return value === null ? null : findByMark(account, { kind, value });
}

/**
 * Finds the person whose face the file name contains as whole words. Registered people take precedence over fixture people,
 * then longer faces over shorter ones.
 */
export function findPersonByFace(account: Account, filename: string): KnownPerson | null {
  const keys = facesIn(filename).map((value) => keyOf({ kind: "face", value }));
  const [registered] = keys.flatMap((key) => registeredAs(account, key) ?? []);
  const [fixed] = keys.flatMap((key) => fixtureAs(key) ?? []);
  return registered ?? fixed ?? null;
}

/** Saves a person whose marks are in normal notation and identify no one else. Call inside a commit. */
export function savePerson(account: Account, person: Omit<RegisteredPerson, "id">): RegisteredPerson {
  const registered = { id: account.random.id("person_"), ...person };
  account.state.put(people, registered.id, registered);
  const entry: IndexEntry = { person_id: registered.id };
  for (const mark of marksOf(person)) account.state.put(peopleIndex, keyOf(mark), entry);
  return registered;
}

/** Returns the registered people, newest first, and then the fixture people. */
export const knownPeople = (account: Account): KnownPerson[] => [
  ...[...account.state.newest(people)].map((person) => ({ person, source: "registered" }) as const),
  ...fixturePeople.map((person) => ({ person, source: "fixture" }) as const),
];

import { describe, expect, test } from "vitest";
import fixture from "../../fixtures/people.json" with { type: "json" };
import { findPlace } from "../../src/service/address/gazetteer.js";
import { existencePoints, readAddress } from "../../src/service/address/parse.js";
import { allPlaces } from "../../src/service/address/places.js";
import { findBank, isNuban } from "../../src/service/banks.js";
import { similarity } from "../../src/service/identity/similarity.js";
import type { Person } from "../../src/service/people/person.js";
import { toE164 } from "../../src/service/phone/numbers.js";

const people = fixture.people as readonly Person[];
const nameOf = ({ first_name, middle_name, last_name }: Person) =>
  [first_name, middle_name, last_name].filter(Boolean).join(" ");
const isDate = (text: string) => new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);

test("there are twelve people, and no number belongs to two of them", () => {
  expect(people).toHaveLength(12);
  const numbers = people.flatMap(({ bvn, nin, phone_number, licence, bank_accounts }) => [
    bvn,
    nin,
    phone_number,
    ...(licence ? [licence.number] : []),
    ...bank_accounts.map(({ account_number }) => account_number),
  ]);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test("they show valid, expired and suspended licences, and people without one", () => {
  const shown = new Set(people.map(({ licence }) => licence?.status ?? "none"));
  expect([...shown].sort()).toEqual(["expired", "none", "suspended", "valid"]);
});

describe.each(people.map((person) => ({ name: nameOf(person), person })))("$name", ({ name, person }) => {
  test("has a BVN and a NIN of eleven digits that are no test values", () => {
    expect(person.bvn).toMatch(/^22(?!22222222)\d{9}$/);
    expect(person.nin).toMatch(/^(?!7000000000)\d{11}$/);
  });

  test("has a valid mobile number that is no test value", () => {
    expect(toE164(person.phone_number)).toBe(person.phone_number);
    expect(person.phone_number).not.toMatch(/^\+23480000000/);
  });

  test("has accounts with right check digits at known banks, in a name like the person's own", () => {
    expect(person.bank_accounts.length).toBeGreaterThan(0);
    for (const { bank_code, account_number, account_name } of person.bank_accounts) {
      expect(findBank(bank_code)?.code).toBe(bank_code);
      expect(isNuban(bank_code, account_number)).toBe(true);
      expect(account_number).not.toMatch(/^(000000000\d|(\d)\2{9})$/);
      expect(similarity(account_name, name)).toBeGreaterThanOrEqual(80);
    }
  });

  test("lives at an address with house number, street and a known town", () => {
    expect(existencePoints(readAddress(person.address, findPlace(person.address)))).toBe(40);
  });

  test("was born on a real date, as an adult", () => {
    expect(isDate(person.date_of_birth)).toBe(true);
    expect(person.date_of_birth < "2008").toBe(true);
  });
});

const licensed = people.flatMap((person) =>
  person.licence ? [{ name: nameOf(person), licence: person.licence }] : [],
);
const states = new Set([...allPlaces()].filter(({ kind }) => kind === "state").map(({ name }) => name));

test.each(licensed)(
  "the licence of $name has the corps' form, a known state and a date that fits its status",
  ({ licence }) => {
    expect(licence.number).toMatch(/^(?!ABC0000000)[A-Z]{3}[A-Z0-9]{6,12}$/);
    expect(states).toContain(licence.state_of_issue);
    expect(isDate(licence.expiry_date)).toBe(true);
    expect(licence.expiry_date < "2025").toBe(licence.status === "expired");
  },
);

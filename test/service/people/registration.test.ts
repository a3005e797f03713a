import { describe, expect, test, vi } from "vitest";
import fixture from "../../../fixtures/people.json" with { type: "json" };
import { allPlaces, precisionOf, readAddress } from "../../../src/service/address/parse-address.js";
import { existencePoints } from "../../../src/service/address/score.js";
import { bankOf, isNuban } from "../../../src/service/banks.js";
import { nameSimilarity } from "../../../src/service/identity/name-similarity.js";
import { toE164 } from "../../../src/service/numbers.js";
import { inventPerson } from "../../../src/service/people/invent.js";
import type { Person } from "../../../src/service/people/person.js";
import { findPerson, findPersonByFace, savePerson } from "../../../src/service/people/registry.js";
import type { Account } from "../../../src/world/account/account.js";
import { freshFolder } from "../../support/folder.js";
import { openWorld } from "../../support/world.js";

const people = fixture.people as readonly Person[];
const nameOf = ({ first_name, middle_name, last_name }: Person) =>
  [first_name, middle_name, last_name].filter(Boolean).join(" ");
const isDate = (text: string) => new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);

test("there are twelve people with unique numbers", () => {
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

test("they have valid, expired and suspended licences, or none", () => {
  const shown = new Set(people.map(({ licence }) => licence?.status ?? "none"));
  expect([...shown].sort()).toEqual(["expired", "none", "suspended", "valid"]);
});

test("their faces are distinct words, none part of another or of a test value", () => {
  const faces = people.map(({ face }) => face);
  const testValues =
    "spoof nomatch blurry expired otheraddress othername likely_ai inconclusive authentic provider_down timeout";
  for (const face of faces) {
    expect(face).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect([...faces, ...testValues.split(" ")].filter((word) => word.includes(face))).toEqual([face]);
    expect(testValues.split(" ").filter((word) => face.includes(word))).toEqual([]);
  }
});

describe.each(people.map((person) => ({ name: nameOf(person), person })))("$name", ({ name, person }) => {
  test("has a BVN and a NIN of eleven digits that are not test values", () => {
    expect(person.bvn).toMatch(/^22(?!22222222)\d{9}$/);
    expect(person.nin).toMatch(/^(?!7000000000)\d{11}$/);
  });

  test("has a valid mobile number that is not a test value", () => {
    expect(toE164(person.phone_number)).toBe(person.phone_number);
    expect(person.phone_number).not.toMatch(/^\+23480000000/);
  });

  test("has accounts with valid check digits at known banks, in a similar name", () => {
    expect(person.bank_accounts.length).toBeGreaterThan(0);
    for (const { bank_code, account_number, account_name } of person.bank_accounts) {
      expect(bankOf(bank_code).code).toBe(bank_code);
      expect(isNuban(bank_code, account_number)).toBe(true);
      expect(account_number).not.toMatch(/^(000000000\d|(\d)\2{9})$/);
      expect(nameSimilarity(account_name, name)).toBeGreaterThanOrEqual(80);
    }
  });

  test("lives at an address with house number, street and a known town", () => {
    expect(existencePoints[precisionOf(readAddress(person.address))]).toBe(40);
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

const freshAccount = (): Promise<Account> => openWorld(freshFolder()).account("svc_test_people");

/** Saves an invented person with this face. */
const register = (account: Account, face: string) =>
  account.commit("test", () => savePerson(account, inventPerson(account.random, { face })));

describe("finding a person", () => {
  const [adaeze] = people as readonly [Person];

  test.each([
    ["bvn", adaeze.bvn],
    ["nin", adaeze.nin],
    ["phone", adaeze.phone_number],
    ["phone", "0803 123-4567"],
    ["licence", adaeze.licence?.number ?? ""],
    ["licence", "lsr 48213-aa05"],
    ["account", adaeze.bank_accounts[0]?.account_number ?? ""],
    ["account", adaeze.bank_accounts[1]?.account_number ?? ""],
  ] as const)("by %s %s", async (kind, number) => {
    expect(findPerson(await freshAccount(), kind, number)).toEqual({ person: adaeze, source: "fixture" });
  });

  test("needs the right kind of number, and a known one", async () => {
    const account = await freshAccount();
    expect(findPerson(account, "nin", adaeze.bvn)).toBeNull();
    expect(findPerson(account, "bvn", "22301948577")).toBeNull();
    expect(findPerson(account, "bvn", "not a number")).toBeNull();
    expect(findPerson(account, "phone", "__proto__")).toBeNull();
  });

  test("reads two records among a thousand registered people, without a scan", async () => {
    const account = await freshAccount();
    const last = Array.from({ length: 1_000 }, (_, n) => register(account, `face-${n}`)).at(-1) as Person;
    const [one, all, ids] = (["text", "newest", "ids"] as const).map((name) => vi.spyOn(account.state, name));
    expect(findPerson(account, "bvn", last.bvn)).toEqual({ person: last, source: "registered" });
    expect(one?.mock.calls.map(([{ name }]) => name)).toEqual(["people_index", "people"]);
    expect([all?.mock.calls, ids?.mock.calls]).toEqual([[], []]);
  });

  test("prefers a registered person to a fixture person", async () => {
    const account = await freshAccount();
    const { nin } = adaeze;
    const mine = account.commit("test", () => savePerson(account, inventPerson(account.random, { nin })));
    expect(findPerson(account, "nin", nin)).toEqual({ person: mine, source: "registered" });
  });

  test("finds registered people only on their account", async () => {
    const world = openWorld(freshFolder());
    const [one, other] = [await world.account("svc_test_one"), await world.account("svc_test_other")];
    const { nin } = register(one, "new");
    expect(findPerson(one, "nin", nin)?.source).toBe("registered");
    expect(findPerson(other, "nin", nin)).toBeNull();
  });
});

describe("the person that an uploaded file shows", () => {
  test.each(["adaeze-licence.png", "Adaeze.JPG", "my_adaeze_2.webp", "scan of ÁDÁEZE.png"])(
    "%s shows Adaeze",
    async (filename) => {
      expect(findPersonByFace(await freshAccount(), filename)?.person.face).toBe("adaeze");
    },
  );

  test.each(["adaezes.png", "adaeze2.png", "licence.png", "", "constructor", "😀"])(
    "%s shows nobody",
    async (filename) => {
      expect(findPersonByFace(await freshAccount(), filename)).toBeNull();
    },
  );

  test("is a registered one rather than a fixture one, and the one with the longest face", async () => {
    const account = await freshAccount();
    for (const face of ["obi", "ada-obi", "ada-obi-7"]) register(account, face);
    const shown = (filename: string) => findPersonByFace(account, filename)?.person.face;
    expect(shown("zainab obi.png")).toBe("obi");
    expect(shown("obi_ada_obi.png")).toBe("ada-obi");
    expect(shown("Ada Obi 7.png")).toBe("ada-obi-7");
    expect(shown("ada-7-obi.png")).toBe("obi");
  });
});

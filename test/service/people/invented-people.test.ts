import { describe, expect, test } from "vitest";
import {
  allPlaces,
  findPlace,
  precisionOf,
  readAddress,
} from "../../../src/service/address/parse-address.js";
import { existencePoints } from "../../../src/service/address/score.js";
import { isNuban } from "../../../src/service/banks.js";
import { nameSimilarity } from "../../../src/service/identity/name-similarity.js";
import { toE164 } from "../../../src/service/numbers.js";
import { type GivenDetails, inventPerson, personBehind } from "../../../src/service/people/invent.js";
import { fullName, type Person } from "../../../src/service/people/person.js";
import { Random } from "../../../src/time/random.js";

const invent = (seed: string, given?: GivenDetails) => inventPerson(Random.seeded(seed), given);
const crowd = Array.from({ length: 400 }, (_, n) => invent(`person ${n}`));
const states = new Set([...allPlaces()].filter(({ kind }) => kind === "state").map(({ name }) => name));
const isDate = (text: string) => new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);

describe("an invented person", () => {
  test("has a well-formed BVN, NIN and licence that are not test values", () => {
    for (const { bvn, nin, licence } of crowd) {
      expect(bvn).toMatch(/^22(?!22222222\d$)\d{9}$/);
      expect(nin).toMatch(/^(?!22|0|7000000000)\d{11}$/);
      expect(licence?.number).toMatch(/^(?!ABC00000000)[A-Z]{3}\d{5}A[A-D]\d\d$/);
    }
  });

  test("has a number of a Nigerian mobile network that is not a test value", () => {
    for (const { phone_number } of crowd) {
      expect(toE164(phone_number)).toBe(phone_number);
      expect(phone_number).toMatch(/^\+234[789](?!00000000)\d{9}$/);
    }
  });

  test("has one account with a valid check digit, in the person's name as banks write it", () => {
    for (const person of crowd) {
      const [account, ...others] = person.bank_accounts;
      expect(others).toEqual([]);
      expect(isNuban(account?.bank_code ?? "", account?.account_number ?? "")).toBe(true);
      expect(account?.account_name).toMatch(/^[A-Z]+( [A-Z]+)+$/);
      expect(nameSimilarity(account?.account_name ?? "", fullName(person))).toBe(100);
      const familyName = person.last_name.toUpperCase().replaceAll("-", " ");
      expect(account?.account_name.startsWith(`${familyName} `)).toBe(true);
    }
  });

  test("lives at an address with house number, street and a known town, and has a licence of that state", () => {
    for (const { address, licence } of crowd) {
      const place = findPlace(address);
      expect(existencePoints[precisionOf(readAddress(address, place))], address).toBe(40);
      expect(place?.state, address).toBe(licence?.state_of_issue);
      expect(states).toContain(licence?.state_of_issue);
    }
  });

  test("is an adult with a licence that is valid for years", () => {
    for (const { date_of_birth, licence } of crowd) {
      expect([date_of_birth, licence?.expiry_date].every((date) => isDate(date ?? ""))).toBe(true);
      expect(date_of_birth > "1950" && date_of_birth < "2000").toBe(true);
      expect(licence).toMatchObject({ status: "valid", expiry_date: expect.stringMatching(/^203/) });
    }
  });

  test("has capitalised names, a face from the first name, and differs from the next person", () => {
    for (const { first_name, last_name, face } of crowd) {
      expect(`${first_name} ${last_name}`).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+(-[A-Z][a-z]+)*$/);
      expect(first_name).not.toBe("Sname");
      expect(face).toBe(first_name.toLowerCase());
    }
    expect(new Set(crowd.map(({ bvn }) => bvn)).size).toBe(crowd.length);
    expect(new Set(crowd.map(({ gender }) => gender)).size).toBe(2);
  });
});

describe("given fields", () => {
  test("the same random source produces the same person, whichever people were invented before", () => {
    const first = invent("ada");
    for (let n = 0; n < 7; n++) invent(`${n}`);
    expect(invent("ada")).toEqual(first);
  });

  test("do not change other fields", () => {
    const drawn = invent("ada");
    const given = { date_of_birth: "1971-01-02", phone_number: "+2348031230001", bvn: "22311111111" };
    expect(invent("ada", given)).toEqual({ ...drawn, ...given });
    const { first_name, middle_name, ...rest } = invent("ada", { gender: "male" });
    const { last_name, bvn, address } = invent("ada", { gender: "female" });
    expect(rest).toMatchObject({ last_name, bvn, address });
  });

  test("names determine the account name and the face", () => {
    const person = invent("ada", { first_name: "Adébáyọ̀", middle_name: null, last_name: "Ògún-Lẹ́yẹ" });
    expect(person.bank_accounts[0]?.account_name).toBe("OGUN LEYE ADEBAYO");
    expect(person.face).toBe("adebayo");
  });

  test("an account is the only one, in its owner's name unless it has a name", () => {
    const account = { bank_code: "058", account_number: "0123456789" };
    const person = invent("ada", { last_name: "Obi", account });
    expect(person.bank_accounts).toEqual([
      { ...account, account_name: expect.stringMatching(/^OBI [A-Z ]+$/) },
    ]);
    const named = { ...account, account_name: "Ada O." };
    expect(invent("ada", { bank_accounts: [named] }).bank_accounts).toEqual([named]);
    expect(invent("ada", { bank_accounts: [] }).bank_accounts).toEqual([]);
  });

  test("a licence is completed or omitted, and an expired one has a past date", () => {
    expect(invent("ada", { licence: null }).licence).toBeNull();
    const { licence } = invent("ada", { licence: { number: "LSR48213AA06", status: "expired" } });
    expect(licence).toMatchObject({ number: "LSR48213AA06", status: "expired", class: expect.any(String) });
    expect((licence?.expiry_date ?? "9") < "2025").toBe(true);
  });

  test("names can be any text", () => {
    for (const name of ["", " ", "\0", "!!", "😀", "\ud800", "عائشة", "__proto__", "x".repeat(100_000)]) {
      const person = invent("ada", { first_name: name, last_name: name });
      expect(person).toMatchObject({ first_name: name, last_name: name });
      expect(person.face).toMatch(/^[\p{L}\p{N}]{1,40}$/u);
    }
  });
});

describe("the person behind a number", () => {
  const numberOf: Record<string, (person: Person) => string | undefined> = {
    bvn: ({ bvn }) => bvn,
    nin: ({ nin }) => nin,
    phone: ({ phone_number }) => phone_number,
    licence: ({ licence }) => licence?.number,
    account: ({ bank_accounts }) => bank_accounts[0]?.account_number,
  };

  test.each([
    ["bvn", "22311111111"],
    ["nin", "35411111111"],
    ["phone", "+2348031230001"],
    ["licence", "LSR48213AA06"],
    ["account", "0123456789"],
  ] as const)("has that number: %s %s", (kind, number) => {
    const person = personBehind("seed", kind, number);
    expect(numberOf[kind]?.(person)).toBe(number);
    expect(personBehind("seed", kind, number)).toEqual(person);
    const { bvn, nin } = personBehind("another seed", kind, number);
    expect([bvn, nin]).not.toEqual([person.bvn, person.nin]);
  });

  test("is the same in every notation of the number", () => {
    const behind = (kind: "phone" | "licence", number: string) => personBehind("seed", kind, number);
    expect(behind("phone", "0803 123 0001")).toEqual(behind("phone", "+2348031230001"));
    expect(behind("licence", "lsr-48213aa06")).toEqual(behind("licence", "LSR48213AA06"));
  });

  test("has the given names and is otherwise the same", () => {
    const plain = personBehind("seed", "nin", "35411111111");
    const named = personBehind("seed", "nin", "35411111111", { last_name: "Obi" });
    expect(named).toEqual({ ...plain, last_name: "Obi", bank_accounts: named.bank_accounts });
  });

  test("has an account at the given bank, or at one whose check digit fits", () => {
    const number = "3029174651";
    const given = { account: { bank_code: "033", account_number: number } };
    expect(personBehind("seed", "account", number, given).bank_accounts[0]?.bank_code).toBe("033");
    const [account] = personBehind("seed", "account", number).bank_accounts;
    expect(isNuban(account?.bank_code ?? "", number)).toBe(true);
  });
});

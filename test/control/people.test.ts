import { describe, expect, test } from "vitest";
import fixture from "../../fixtures/people.json" with { type: "json" };
import type { SandboxAccount } from "../../src/index.js";
import { post, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();
const [adaeze] = fixture.people;
const names = { first_name: "Chioma", last_name: "Eze" };

// biome-ignore lint/suspicious/noExplicitAny: any reply; the assertions check it
type Said = any;
const register = (account: SandboxAccount, body: object): Promise<Said> =>
  account.control("POST", "/people", { ...names, ...body });
const behind = (account: SandboxAccount, number: string, query = ""): Promise<Said> =>
  account.control("GET", `/people/${encodeURIComponent(number)}${query}`);
const list = async (account: SandboxAccount): Promise<Said[]> =>
  (await account.control<{ items: Said[] }>("GET", "/people")).items;

const licensed = (number: string, more = {}) => ({ licence: { number, ...more } });
const banked = (bank_code: string, account_number: string) => ({
  bank_accounts: [{ bank_code, account_number }],
});

describe("registering a person", () => {
  test("with names alone invents the rest, and lookups by any of the numbers find the person", async () => {
    const account = sandbox.account();
    const person = await register(account, {});
    expect(person.id).toMatch(/^person_[a-z0-9]{20}$/);
    expect(person).toMatchObject({ ...names, middle_name: null, face: "chioma" });
    const { bvn, nin, phone_number, licence, bank_accounts } = person;
    expect(bank_accounts).toMatchObject([{ account_name: "EZE CHIOMA" }]);
    for (const number of [bvn, nin, phone_number, licence.number, bank_accounts[0].account_number])
      expect(await behind(account, number)).toMatchObject({ number, source: "registered", person });
  });

  test("keeps all given fields, in their normal notation", async () => {
    const licence = { status: "suspended", class: "C", state_of_issue: "Oyo", expiry_date: "2020-01-01" };
    const named = { bank_code: "058", account_number: "0123456789", account_name: "Adé Ọjọ́" };
    const given = { first_name: "Adé", middle_name: "Olú", last_name: "Ọjọ́", gender: "male" };
    const facts = {
      date_of_birth: "1980-02-29",
      bvn: "22311111111",
      nin: "35411111111",
      address: "1 Ring Road, Ibadan",
    };
    const person = await register(sandbox.account(), {
      ...given,
      ...facts,
      phone_number: "0803 123-0001",
      licence: { number: "lsr 48213aa06", ...licence },
      bank_accounts: [named, { bank_code: "000016", account_number: "0123456788" }],
      face: "Adé Ọjọ́",
    });
    expect(person).toEqual({
      id: expect.any(String),
      ...given,
      ...facts,
      phone_number: "+2348031230001",
      licence: { number: "LSR48213AA06", ...licence },
      bank_accounts: [named, { bank_code: "011", account_number: "0123456788", account_name: "OJO ADE OLU" }],
      face: "ade-ojo",
    });
  });

  test("accepts null for no licence and an empty list for no bank account", async () => {
    const none = { licence: null, bank_accounts: [] };
    expect(await register(sandbox.account(), none)).toMatchObject(none);
  });

  test("derives from its date and the account's clock whether a licence has expired", async () => {
    const account = sandbox.account();
    await account.clock.freeze("2040-06-01T00:00:00Z");
    const statusOf = async (number: string, expiry_date: string) =>
      (await register(account, licensed(number, { expiry_date }))).licence.status;
    expect(await statusOf("LSR48213AA07", "2040-05-31")).toBe("expired");
    expect(await statusOf("LSR48213AA08", "2040-06-01")).toBe("valid");
  });

  test("gives people with the same name different faces", async () => {
    const account = sandbox.account();
    const faces = [];
    for (let n = 0; n < 3; n++) faces.push((await register(account, {})).face);
    expect(faces).toEqual(["chioma", "chioma-eze", expect.stringMatching(/^chioma-eze-\d{4}$/)]);
    expect((await register(account, { first_name: "Adaeze" })).face).toBe("adaeze-eze");
    expect((await register(account, { first_name: "Timeout" })).face).toMatch(/^person-\d{4}$/);
  });

  test("invents the same person again after a reset, and another one on another account", async () => {
    const [account, other] = [sandbox.account(), sandbox.account()];
    const person = await register(account, {});
    await account.reset();
    expect(await register(account, {})).toEqual(person);
    expect((await register(other, {})).bvn).not.toBe(person.bvn);
  });
});

describe("a person is refused", () => {
  test.each([
    ["bvn", "invalid_bvn", { bvn: "123" }, "exactly 11 digits"],
    ["nin", "invalid_nin", { nin: "3540281769x" }, "exactly 11 digits"],
    ["phone_number", "invalid_phone", { phone_number: "8031230001" }, "08031234567"],
    ["licence.number", "invalid_licence_number", licensed("12"), "4 to 20 letters or digits"],
    ["licence.number", "missing_field", { licence: {} }, "licence.number is required"],
    ["licence.status", "validation_error", licensed("LSR48213AA06", { status: "lost" }), "suspended"],
    ["licence.expiry_date", "validation_error", licensed("LSR48213AA06", { expiry_date: "2" }), "a date"],
    ["licence", "validation_error", { licence: "LSR48213AA06" }, "an object or null"],
    ["middle_name", "validation_error", { middle_name: 7 }, "must be a string or null; got 7"],
    ["bank_accounts.0.account_number", "invalid_account_number", banked("058", "12"), "exactly 10 digits"],
    ["bank_accounts.0.bank_code", "invalid_bank_code", banked("xyz", "0123456789"), "such as 058"],
    ["bank_accounts.0.bank_code", "invalid_bank_code", banked("999", "0123456789"), "such as 058"],
    ["date_of_birth", "validation_error", { date_of_birth: "1990-02-30" }, "must be a date such as"],
    ["date_of_birth", "validation_error", { date_of_birth: "9999-01-01" }, "must not be after today"],
    ["gender", "validation_error", { gender: "other" }, "male, female"],
    ["first_name", "validation_error", { first_name: "!!" }, "at least one letter"],
    ["last_name", "validation_error", { last_name: "x".repeat(61) }, "at most 60"],
    ["address", "validation_error", { address: "" }, "12 Allen Avenue"],
    ["face", "validation_error", { face: "--" }, "must contain a letter or digit"],
    ["face", "validation_error", { face: "a b c d" }, "at most 3 words"],
    ["face", "validation_error", { face: "x".repeat(41) }, "at most 40"],
    ["face", "validation_error", { face: "Likely AI" }, "must not contain likely_ai"],
    ["last_name", "missing_field", { last_name: undefined }, "last_name is required"],
    ["favourite_colour", "unknown_field", { favourite_colour: "red" }, "not a field"],
  ])("for its %s: %s", async (param, code, body, right) => {
    const account = sandbox.account();
    const reply = await post(account, "/_sandbox/people", { ...names, ...body });
    expect(reply).toMatchObject({ status: 400, body: { error: { code, param } } });
    expect(reply.body.error.message).toContain(right);
    expect((await list(account)).map(({ source }) => source)).not.toContain("registered");
  });

  test("with all problems at once", async () => {
    const wrong = { phone_number: "12", face: "spoofer" };
    const { body } = await post(sandbox.account(), "/_sandbox/people", { ...names, ...wrong });
    expect(body.error.code).toBe("validation_error");
    expect(body.error.details.map(({ param, code }: Said) => [param, code])).toEqual([
      ["phone_number", "invalid_phone"],
      ["face", "validation_error"],
    ]);
    for (const value of Object.values(wrong)) expect(body.error.message).toContain(JSON.stringify(value));
  });

  test.each([
    ["bvn", { bvn: "22222222225" }],
    ["nin", { nin: "70000000000" }],
    ["phone_number", { phone_number: "08000000042" }],
    ["licence.number", licensed("abc-000000009")],
    ["bank_accounts.0.account_number", banked("058", "0000000001")],
    ["bank_accounts.0.account_number", banked("058", "3333333333")],
  ])("with a test value as %s, which always has its outcome", async (param, body) => {
    const message = expect.stringContaining(`${param} must not be a test value`);
    const refused = register(sandbox.account(), body);
    await expect(refused).rejects.toMatchObject({ status: 400, code: "validation_error", message });
  });

  test.each([
    ["bvn", { bvn: adaeze?.bvn }],
    ["nin", { nin: adaeze?.nin }],
    ["phone_number", { phone_number: "08031234567" }],
    ["licence.number", licensed("LSR 48213AA05")],
    ["bank_accounts.0.account_number", banked("044", "2004819376")],
    ["face", { face: "ADAEZE" }],
  ])("if its %s belongs to a fixture person, who is named", async (param, body) => {
    const message = expect.stringMatching(new RegExp(`^${param} must.*Adaeze Ngozi Okafor.*fixture`));
    const refused = register(sandbox.account(), body);
    await expect(refused).rejects.toMatchObject({ status: 409, code: "duplicate_reference", message });
  });

  test("if its number belongs to a registered person, who is named", async () => {
    const account = sandbox.account();
    const { id, bvn } = await register(account, {});
    const owner = `${bvn}" belongs to Chioma Eze, registered as ${id}`;
    await expect(register(account, { bvn })).rejects.toThrow(owner);
    expect(await list(account)).toHaveLength(13);
  });
});

describe("the person behind a number", () => {
  test.each([
    ["22301948576", "22301948576", "bvn"],
    ["35402817694", "35402817694", "nin"],
    ["0803-123-4567", "+2348031234567", "phone"],
    ["+234 803 123 4567", "+2348031234567", "phone"],
    ["0143728169", "0143728169", "account"],
    ["lsr48213aa05", "LSR48213AA05", "licence"],
  ])("%s is a known person's", async (text, number, kind) => {
    const found = { number, kind, source: "fixture", person: adaeze };
    expect(await behind(sandbox.account(), text)).toEqual(found);
  });

  test.each([
    ["22311111111", "bvn", { bvn: "22311111111" }],
    ["35411111111", "nin", { nin: "35411111111" }],
    ["08031230001", "phone", { phone_number: "+2348031230001" }],
    ["0123456789", "account", { bank_accounts: [{ account_number: "0123456789" }] }],
    ["ABJ56093AA08", "licence", licensed("ABJ56093AA08")],
  ])("the unknown %s is a %s of the same invented person on every account", async (number, kind, person) => {
    const account = sandbox.account();
    const found = await behind(account, number);
    expect(found).toMatchObject({ kind, source: "invented", person });
    expect(await behind(account, number)).toEqual(found);
    expect(await behind(sandbox.account(), number)).toEqual(found);
  });

  test("eleven digits are the kind of number that a person registered them as, or that of ?kind=", async () => {
    const account = sandbox.account();
    const nin = "22355555555";
    await register(account, { nin });
    expect(await behind(account, nin)).toMatchObject({ kind: "nin", source: "registered" });
    expect(await behind(account, nin, "?kind=bvn")).toMatchObject({ kind: "bvn", source: "invented" });
    expect(await behind(account, "08031234567", "?kind=nin")).toMatchObject({ source: "invented" });
  });

  test.each(["12", "00000000000", "+12", "LSR", "9".repeat(40)])(
    "%s is not a number of a known kind",
    async (number) => {
      const message = expect.stringContaining("11 digits starting with 22 (BVN)");
      const refused = behind(sandbox.account(), number);
      await expect(refused).rejects.toMatchObject({ status: 400, code: "validation_error", message });
    },
  );

  test.each([
    ["bvn", "invalid_bvn"],
    ["nin", "invalid_nin"],
    ["phone", "invalid_phone"],
    ["account", "invalid_account_number"],
    ["licence", "invalid_licence_number"],
  ])("a number that cannot be a %s is %s", async (kind, code) => {
    const message = expect.stringContaining('"12"');
    const refused = behind(sandbox.account(), "12", `?kind=${kind}`);
    await expect(refused).rejects.toMatchObject({ status: 400, code, message });
  });
});

test("the list has the registered people, newest first, and then the fixture people", async () => {
  const account = sandbox.account();
  const [one, two] = [await register(account, {}), await register(account, { first_name: "Ngozi" })];
  const registered = [two, one].map((person) => ({ source: "registered", ...person }));
  const fixtures = fixture.people.map((person) => ({ source: "fixture", ...person }));
  expect(await list(account)).toEqual([...registered, ...fixtures]);
  expect(await list(sandbox.account())).toEqual(fixtures);
});

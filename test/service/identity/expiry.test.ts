import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { useSandbox } from "../../support/sandbox.js";
import { send, unknown } from "./checks.js";

const sandbox = useSandbox();

/** People whose dates are in fixtures/people.json. */
const adaeze = { licence_number: "LSR48213AA05", face: "adaeze", expiry_date: "2031-03-14" };
const emeka = { licence_number: "ENU15628AA02", face: "emeka", expiry_date: "2021-09-30" };

async function frozenAt(date: string): Promise<SandboxAccount> {
  const account = sandbox.account();
  await account.clock.freeze(`${date}T12:00:00Z`);
  return account;
}

const statusOf = async (account: SandboxAccount, licence_number: string): Promise<string> =>
  (await send(account, "verifyFrsc", { licence_number })).body.data.licence_status;

/** Reads a photo of the person's document and returns its content and what decided the outcome. */
async function documentOf(account: SandboxAccount, face: string) {
  const { body, headers } = await send(account, "verifyDocument", { file: `${face}.png` });
  return { expiry_date: body.data.expiry_date, outcome: headers.get("X-Sandbox-Outcome") };
}

describe.each([adaeze, emeka])("the licence that ends on $expiry_date", (person) => {
  const { licence_number, face, expiry_date } = person;
  const year = Number(expiry_date.slice(0, 4));

  test.each([
    [`${year - 1}${expiry_date.slice(4)}`, "valid", "read"],
    [expiry_date, "valid", "read"],
    [`${year + 1}${expiry_date.slice(4)}`, "expired", "expired"],
  ])("is, on %s, %s, and so is its document", async (date, licence_status, outcome) => {
    const account = await frozenAt(date);
    expect(await statusOf(account, licence_number)).toBe(licence_status);
    expect(await documentOf(account, face)).toEqual({ expiry_date, outcome: `${outcome}; by=people` });
  });
});

test("licence and document expire when the clock is advanced by years", async () => {
  const account = await frozenAt("2026-01-01");
  await account.advance(`${365 * 5}d`);
  expect(await statusOf(account, adaeze.licence_number)).toBe("valid");
  await account.advance("365d");
  expect(await statusOf(account, adaeze.licence_number)).toBe("expired");
  expect((await documentOf(account, "adaeze")).outcome).toBe("expired; by=people");
});

test("a suspended licence stays suspended until it expires", async () => {
  const musa = "KAN93047AA08";
  expect(await statusOf(await frozenAt("2032-01-18"), musa)).toBe("suspended");
  expect(await statusOf(await frozenAt("2032-01-19"), musa)).toBe("expired");
});

test("the licence and document of an unknown person expire too", async () => {
  const { licence_number } = unknown;
  expect(await statusOf(await frozenAt("2030-01-01"), licence_number)).toBe("valid");
  expect(await statusOf(await frozenAt("2040-01-01"), licence_number)).toBe("expired");
  expect((await documentOf(await frozenAt("2030-01-01"), "nobody")).outcome).toBe("read; by=default");
  const late = await documentOf(await frozenAt("2040-01-01"), "nobody");
  expect(late.expiry_date < "2040").toBe(true);
  expect(late.outcome).toBe("expired; by=people");
});

test("the national ID of a person without a licence has one expiry date, whatever the photo and time", async () => {
  const { expiry_date } = await documentOf(await frozenAt("2026-01-01"), "hauwa");
  expect(expiry_date > "2026-01-01").toBe(true);
  expect((await documentOf(await frozenAt("2027-05-05"), "hauwa-2")).expiry_date).toBe(expiry_date);
  const after = `${Number(expiry_date.slice(0, 4)) + 1}-01-01`;
  expect(await documentOf(await frozenAt(after), "hauwa")).toEqual({
    expiry_date,
    outcome: "expired; by=people",
  });
});

describe("a document whose outcome is requested", () => {
  const ask = async (account: SandboxAccount, file: string, outcome: string): Promise<string> =>
    (await send(account, "verifyDocument", { file }, { "X-Sandbox-Outcome": outcome })).body.data.expiry_date;

  test.each(["adaeze.png", "emeka.png", "nobody.png", "hauwa.png"])(
    "has, as %s, a date that fits the outcome on the account's clock",
    async (file) => {
      for (const date of ["2020-06-01", "2026-06-01", "2050-06-01"]) {
        const account = await frozenAt(date);
        expect((await ask(account, file, "expired")) < date).toBe(true);
        expect((await ask(account, file, "read")) >= date).toBe(true);
      }
    },
  );
});

describe("a registered licence", () => {
  const person = { first_name: "Chioma", last_name: "Eze" };
  const number = "LSR48213AA06";

  test("is expired if its date has passed, and valid otherwise", async () => {
    const account = await frozenAt("2026-06-01");
    const licence = { number, expiry_date: "2026-05-31" };
    await account.control("POST", "/people", { ...person, licence });
    expect(await statusOf(account, number)).toBe("expired");
    const other = await frozenAt("2026-06-01");
    await other.control("POST", "/people", { ...person, licence: { number, expiry_date: "2026-06-01" } });
    expect(await statusOf(other, number)).toBe("valid");
    await other.advance("1d");
    expect(await statusOf(other, number)).toBe("expired");
  });

  test("has the given status until its date has passed", async () => {
    for (const status of ["valid", "suspended", "expired"]) {
      const account = await frozenAt("2026-06-01");
      const licence = { number, status, expiry_date: "2030-01-01" };
      await account.control("POST", "/people", { ...person, licence });
      expect(await statusOf(account, number)).toBe(status);
    }
  });
});

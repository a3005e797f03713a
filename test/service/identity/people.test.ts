import { describe, expect, test } from "vitest";
import fixture from "../../../fixtures/people.json" with { type: "json" };
import type { SandboxAccount } from "../../../src/index.js";
import type { Person } from "../../../src/service/people/person.js";
import { useSandbox } from "../../support/sandbox.js";
import { send } from "./checks.js";

const sandbox = useSandbox();
const people = fixture.people as readonly Person[];
const [adaeze, adebayo] = people as [Person, Person];

const nameOf = ({ first_name, middle_name, last_name }: Person) =>
  [first_name, middle_name, last_name].filter(Boolean).join(" ");
const fullMatch = { status: "success", match: true, confidence_score: 100 };

/** Expects every endpoint to return the same details of this person. */
async function expectCoherent(account: SandboxAccount, person: Person): Promise<void> {
  const { first_name, last_name, date_of_birth, phone_number, gender, bvn, nin, licence } = person;
  const names = { first_name, last_name };
  const shared = { date_of_birth, phone_number, gender };
  const byBvn = await send(account, "verifyBvn", { bvn, ...names, date_of_birth });
  expect(byBvn.body).toMatchObject({ ...fullMatch, data: { bvn, ...shared } });
  expect(byBvn.headers.get("X-Sandbox-Outcome")).toBe("match; by=people");
  const byNin = await send(account, "verifyNin", { nin, ...names });
  expect(byNin.body).toMatchObject({ ...fullMatch, data: { nin, ...names, ...shared } });
  if (licence) {
    const byLicence = await send(account, "verifyFrsc", { licence_number: licence.number, ...names });
    const { status: licence_status, class: licence_class, state_of_issue, expiry_date } = licence;
    const data = { licence_status, licence_class, state_of_issue, expiry_date };
    expect(byLicence.body).toMatchObject({ ...fullMatch, data });
  }
  for (const known of person.bank_accounts) {
    const { bank_code, account_number } = known;
    const named = await send(account, "verifyBankAccount", { bank_code, account_number });
    expect(named.body).toMatchObject({ ...fullMatch, data: known });
    const { body } = await send(account, "verifyBvnAccountMatch", { bank_code, account_number, bvn });
    expect(body).toMatchObject({
      match: true,
      data: { account_number, account_name: known.account_name, match_status: "FULL_MATCH" },
    });
    expect(body.data.match_percentage).toBeGreaterThanOrEqual(80);
  }
  await expectPhotos(account, person);
}

async function expectPhotos(account: SandboxAccount, person: Person): Promise<void> {
  const { face, licence, nin } = person;
  const { body } = await send(account, "verifyDocument", { file: `${face}-id.png` });
  expect(body.data).toMatchObject({
    full_name: nameOf(person),
    document_number: licence?.number ?? nin,
    ...(licence ? { expiry_date: licence.expiry_date } : {}),
  });
  const own = { selfie: `${face}_selfie.jpg`, id_photo: `ID of ${face}.png` };
  expect((await send(account, "verifyFaceMatch", own)).body.match).toBe(true);
  const other = face === adaeze.face ? adebayo.face : adaeze.face;
  const strangers = await send(account, "verifyFaceMatch", { ...own, selfie: `${other}.jpg` });
  expect(strangers.body.match).toBe(false);
  expect(strangers.headers.get("X-Sandbox-Outcome")).toBe("no_match; by=people");
}

test.each(people.map((person) => ({ name: nameOf(person), person })))(
  "every endpoint agrees about $name",
  async ({ person }) => expectCoherent(sandbox.account(), person),
);

const register = (account: SandboxAccount, input: object): Promise<Person> =>
  account.control<Person>("POST", "/people", input);

const chioma = {
  first_name: "Chioma",
  middle_name: "Ada",
  last_name: "Eze",
  date_of_birth: "1992-06-03",
  gender: "female",
  phone_number: "+2348031230001",
  bvn: "22345678901",
  nin: "34567890123",
  licence: {
    number: "LSR48213AA06",
    status: "suspended",
    class: "C",
    state_of_issue: "Lagos",
    expiry_date: "2033-03-14",
  },
  bank_accounts: [{ bank_code: "058", account_number: "0123456789", account_name: "EZE CHIOMA" }],
  face: "chioma",
};

describe("a registered person", () => {
  test("is found by every endpoint with the given details", async () => {
    const account = sandbox.account();
    const person = await register(account, chioma);
    expect(person).toMatchObject(chioma);
    await expectCoherent(account, person);
  });

  test("is found by every endpoint with invented details if only names were given", async () => {
    const account = sandbox.account();
    await expectCoherent(account, await register(account, { first_name: "Uche", last_name: "Nnaji" }));
  });

  test("without a licence has a national ID with the NIN as its number", async () => {
    const account = sandbox.account();
    const person = await register(account, { ...chioma, licence: null });
    await expectCoherent(account, person);
    const { body } = await send(account, "verifyDocument", { file: "chioma.png" });
    expect(body.data.document_number).toBe(chioma.nin);
  });

  test("does not exist on another account", async () => {
    await register(sandbox.account(), chioma);
    const { body, headers } = await send(sandbox.account(), "verifyNin", { nin: chioma.nin });
    expect(headers.get("X-Sandbox-Outcome")).toBe("match; by=default");
    expect(body.data.last_name).not.toBe("Eze");
  });

  test("with a test value as a number is refused, as the value keeps its outcome", async () => {
    const account = sandbox.account();
    await expect(register(account, { ...chioma, bvn: "22222222220" })).rejects.toMatchObject({
      status: 400,
    });
  });
});

describe("an account match", () => {
  const accountOf = ({ bank_accounts: [first] }: Person) => ({
    account_number: first?.account_number,
    bank_code: first?.bank_code,
  });

  test("of two people does not match, and returns the account owner's name", async () => {
    const change = { ...accountOf(adaeze), bvn: adebayo.bvn };
    const { body, headers } = await send(sandbox.account(), "verifyBvnAccountMatch", change);
    expect(body).toMatchObject({ status: "success", match: false });
    expect(body.data).toMatchObject({ account_name: "OKAFOR ADAEZE NGOZI", match_status: "NO_MATCH" });
    expect(headers.get("X-Sandbox-Outcome")).toBe("no_match; by=people");
  });

  test("of two people with the same name is partial, since they are different people", async () => {
    const account = sandbox.account();
    const twin = await register(account, { first_name: "Adaeze", middle_name: "Ngozi", last_name: "Okafor" });
    const change = { ...accountOf(adaeze), bvn: twin.bvn };
    const { body } = await send(account, "verifyBvnAccountMatch", change);
    expect(body).toMatchObject({ match: false, data: { match_status: "PARTIAL_MATCH" } });
    expect(body.confidence_score).toBeLessThan(80);
  });

  test("of a known person's account with another person's BVN does not match", async () => {
    const change = { ...accountOf(adaeze), bvn: "22301948577" };
    const { body } = await send(sandbox.account(), "verifyBvnAccountMatch", change);
    expect(body).toMatchObject({ match: false, data: { match_status: "NO_MATCH" } });
  });

  test("of an unknown account with a known BVN returns that person's name", async () => {
    const { body } = await send(sandbox.account(), "verifyBvnAccountMatch", { bvn: adaeze.bvn });
    expect(body).toMatchObject(fullMatch);
    expect(body.data.account_name).toBe("OKAFOR ADAEZE NGOZI");
  });

  test.each(["no_match", "partial_match"])(
    "with the requested outcome %s does not return the name of the BVN's holder",
    async (outcome) => {
      const asked = { "X-Sandbox-Outcome": outcome };
      const { body } = await send(sandbox.account(), "verifyBvnAccountMatch", { bvn: adaeze.bvn }, asked);
      expect(body.data.account_name).not.toBe("OKAFOR ADAEZE NGOZI");
      expect(body.data.account_name.startsWith("OKAFOR ")).toBe(outcome === "partial_match");
    },
  );
});

import { describe, expect, test } from "vitest";
import { pngOf } from "../../support/forms.js";
import { type Reply, useSandbox } from "../../support/sandbox.js";
import { type CheckId, send, sendFiles, unknown } from "./checks.js";

const sandbox = useSandbox();

const number = {
  verifyBvn: "bvn",
  verifyNin: "nin",
  verifyFrsc: "licence_number",
  verifyBankAccount: "account_number",
} as const;
type NumberId = keyof typeof number;
const numberIds = Object.keys(number) as NumberId[];

const lookUp = (id: NumberId, value: string, more: object = {}): Promise<Reply> =>
  send(sandbox.account(), id, { [number[id]]: value, ...more });

/** Returns the number with a different last digit. */
const neighbour = (value: string, digit: number): string => value.slice(0, -1) + digit;

describe("the owner of an unknown number", () => {
  test("has the submitted names", async () => {
    const names = { first_name: "Ọláwálé", last_name: "Ẹ̀bùn-Ojo" };
    const { body } = await lookUp("verifyNin", unknown.nin, names);
    expect(body).toMatchObject({ match: true, confidence_score: 100, data: names });
  });

  test("has the submitted date of birth", async () => {
    const { body } = await lookUp("verifyBvn", unknown.bvn, { date_of_birth: "1971-02-28" });
    expect(body).toMatchObject({ match: true, confidence_score: 100, data: { date_of_birth: "1971-02-28" } });
  });

  test("submitted names change nothing but the names", async () => {
    const plain = await lookUp("verifyNin", unknown.nin);
    const named = await lookUp("verifyNin", unknown.nin, { first_name: "Ada", last_name: "Obi" });
    expect(named.body.data).toEqual({ ...plain.body.data, first_name: "Ada", last_name: "Obi" });
  });

  test.each(numberIds)(
    "%s finds the same person every time, on every account and in both modes",
    async (id) => {
      const value = unknown[number[id]];
      const account = sandbox.account({ mode: "live" });
      const replies = [
        await lookUp(id, value),
        await lookUp(id, value),
        await send(account, id, { [number[id]]: value }),
        await send(account, id, { [number[id]]: value }),
      ];
      expect(replies[0]?.body.data).not.toBeNull();
      for (const { body } of replies) expect(body.data).toEqual(replies[0]?.body.data);
    },
  );

  test.each(numberIds)("%s finds different people for different numbers", async (id) => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, digit) => lookUp(id, neighbour(unknown[number[id]], digit))),
    );
    const people = replies.map(({ body: { data } }) => {
      const { bvn, nin, account_number, ...person } = data;
      return JSON.stringify(person);
    });
    // A licence reply has few fields, so two out of ten may be equal.
    expect(new Set(people).size).toBeGreaterThanOrEqual(8);
  });

  test("is the person that the control API shows", async () => {
    const account = sandbox.account();
    const { person } = await account.control<{ person: Record<string, unknown> }>(
      "GET",
      `/people/${unknown.nin}?kind=nin`,
    );
    const { body } = await send(account, "verifyNin");
    expect(person).toMatchObject(body.data);
  });

  test("has only the family name under a partial match, and different names under no match", async () => {
    const names = { first_name: "Ada", last_name: "Obi" };
    const ask = async (outcome: string) =>
      (await send(sandbox.account(), "verifyNin", names, { "X-Sandbox-Outcome": outcome })).body.data;
    expect(await ask("match")).toMatchObject(names);
    const partial = await ask("partial_match");
    expect(partial.last_name).toBe("Obi");
    expect(partial.first_name).not.toBe("Ada");
    const other = await ask("no_match");
    expect([other.first_name, other.last_name]).not.toContain("Obi");
    expect(other.first_name).not.toBe("Ada");
  });

  test.each(["lsr-99213AA05", "LSR 99213aa05"])(
    "a licence written %s is the same licence",
    async (written) => {
      const plain = await lookUp("verifyFrsc", "LSR99213AA05");
      expect((await lookUp("verifyFrsc", written)).body.data).toEqual(plain.body.data);
    },
  );
});

describe("banks", () => {
  const known = { account_number: "0143728169", bank_code: "058" };
  const ids: CheckId[] = ["verifyBankAccount", "verifyBvnAccountMatch"];

  test.each(ids)("%s does not find a known account at another bank", async (id) => {
    const { body, headers } = await send(sandbox.account(), id, { ...known, bank_code: "044" });
    const result = { status: "not_found", match: false, confidence_score: 0, data: null };
    expect(body).toMatchObject(result);
    expect(headers.get("X-Sandbox-Outcome")).toBe("not_found; by=people");
  });

  test.each(ids)("%s finds it under the bank's other code", async (id) => {
    const { body } = await send(sandbox.account(), id, { ...known, bank_code: "000013", bvn: "22301948576" });
    expect(body).toMatchObject({ status: "success", match: true });
  });

  test.each(ids.flatMap((id) => ["090270", "50383"].map((bank_code) => ({ id, bank_code }))))(
    "$id takes the bank code $bank_code of a microfinance bank that is not on the list",
    async ({ id, bank_code }) => {
      const { status, body } = await send(sandbox.account(), id, { ...unknown, bank_code });
      expect([status, body.status]).toEqual([200, "success"]);
    },
  );

  test.each(ids.flatMap((id) => ["999", "000000"].map((bank_code) => ({ id, bank_code }))))(
    "$id refuses the bank code $bank_code, which no bank has",
    async ({ id, bank_code }) => {
      for (const account_number of [known.account_number, unknown.account_number, "0000000000"]) {
        const { status, body } = await send(sandbox.account(), id, { account_number, bank_code });
        expect(status).toBe(400);
        expect(body.error).toMatchObject({ code: "invalid_bank_code", param: "bank_code" });
        expect(body.error.message).toContain(bank_code);
      }
    },
  );
});

describe("a document of an unknown person", () => {
  const read = async (size: number) =>
    (await sendFiles(sandbox.account(), "/v1/verify/document", { file: "x.png" }, {}, pngOf(size))).body.data;

  test("has the same content on every account, and a different document has different content", async () => {
    const [first, again, other] = [await read(100), await read(100), await read(101)];
    expect(again).toEqual(first);
    expect(other.full_name).not.toBe(first.full_name);
    expect(other.document_number).not.toBe(first.document_number);
  });

  test("expires on the date that a lookup of its number returns", async () => {
    for (const size of [100, 101, 102]) {
      const { document_number, expiry_date } = await read(size);
      const { body } = await send(sandbox.account(), "verifyFrsc", { licence_number: document_number });
      expect(body.data).toMatchObject({ licence_status: "valid", expiry_date });
    }
  });
});

import { describe, expect, test } from "vitest";
import fixture from "../../../fixtures/people.json" with { type: "json" };
import type { OutcomeName } from "../../../src/index.js";
import { field, formOf, formType } from "../../support/forms.js";
import { jpegOfSize, webpOfSize } from "../../support/pictures.js";
import { read, useSandbox } from "../../support/sandbox.js";
import { documentPath, seen, started, submit } from "./checks.js";

const sandbox = useSandbox();
const adaeze = { full_name: "Adaeze Okafor", address: "12 Allen Avenue, Ikeja, Lagos" };

/** Submits a document with this file name and returns its check and what decided the outcome. */
async function shown(filename: string, changes: object = adaeze, account = sandbox.account()) {
  const check = await started(account, changes);
  const { status, headers, body } = await submit(account, check, filename);
  expect(status).toBe(200);
  return { decision: headers.get("X-Sandbox-Outcome"), document: body.checks.document };
}

describe("a document in a known person's name", () => {
  test("is a match if person and address are the same", async () => {
    expect(await shown("adaeze-nepa-bill.png")).toEqual({
      decision: "match; by=people",
      document: { status: "pass", points: 20, address_match: 100, name_match: true },
    });
  });

  test("is an address_mismatch if the address differs", async () => {
    const changes = { ...adaeze, address: "8 Ogui Road, Enugu" };
    const { decision, document } = await shown("adaeze.png", changes);
    expect(decision).toBe("address_mismatch; by=people");
    expect(document).toMatchObject({ status: "fail", points: 0, name_match: true });
    expect(document.address_match).toBeLessThan(80);
  });

  test("is a name_mismatch if the name differs", async () => {
    expect(await shown("adaeze.png", { ...adaeze, full_name: "Musa Ibrahim" })).toEqual({
      decision: "name_mismatch; by=people",
      document: { status: "partial", points: 10, address_match: 100, name_match: false },
    });
  });

  test("is an address_mismatch with name_match false if both differ", async () => {
    const { decision, document } = await shown("adaeze.png", { full_name: "Musa Ibrahim", address: "Kano" });
    expect(decision).toBe("address_mismatch; by=people");
    expect(document).toMatchObject({ points: 0, name_match: false });
  });

  test.each(["No 12, ALLEN AVE., Ikeja 100271, Lagos State, Nigeria", "12 Allen Av Ikeja"])(
    "is a match for the address written as %s",
    async (address) => {
      expect((await shown("adaeze.png", { ...adaeze, address })).document).toMatchObject({
        address_match: 100,
      });
    },
  );

  test("does not match the neighbour's house", async () => {
    const { document } = await shown("adaeze.png", { ...adaeze, address: "14 Allen Avenue, Ikeja, Lagos" });
    expect(document).toMatchObject({ status: "fail", points: 0 });
    expect(document.address_match).toBeGreaterThan(50);
  });

  test.each(["OKAFOR ADAEZE NGOZI", "Mrs Adaeze N. Okafor", "adaeze okafor"])(
    "is a match for the name written as %s",
    async (full_name) => {
      expect((await shown("adaeze.png", { ...adaeze, full_name })).document.name_match).toBe(true);
    },
  );

  test.each(fixture.people)("$face's own is a match for $first_name $last_name", async (person) => {
    const changes = { full_name: `${person.first_name} ${person.last_name}`, address: person.address };
    const { decision, document } = await shown(`bill of ${person.face}.png`, changes);
    expect(decision).toBe("match; by=people");
    expect(document).toEqual({ status: "pass", points: 20, address_match: 100, name_match: true });
  });

  test("finds registered people, and prefers them", async () => {
    const account = sandbox.account();
    await account.control("POST", "/people", {
      first_name: "Chioma",
      last_name: "Eze",
      address: "8 Ogui Road, Enugu",
      face: "chioma",
    });
    const changes = { full_name: "Chioma Eze", address: "8 Ogui Rd., Enugu" };
    expect((await shown("adaeze-and-chioma.png", changes, account)).decision).toBe("match; by=people");
    expect((await shown("chioma.png", changes)).decision).toBe("match; by=default");
  });
});

describe("a document of an unknown person", () => {
  test("is a match", async () => {
    expect(await shown("bill.png")).toEqual({
      decision: "match; by=default",
      document: { status: "pass", points: 20, address_match: 96, name_match: true },
    });
  });

  test.each([
    ["otheraddress.png", "address_mismatch", { status: "fail", points: 0, name_match: true }],
    ["scan OtherName 2.png", "name_mismatch", { status: "partial", points: 10, name_match: false }],
  ])("called %s is %s as a test value", async (filename, outcome, document) => {
    const reply = await shown(filename);
    expect(reply.decision).toBe(`${outcome}; by=test-value`);
    expect(reply.document).toMatchObject(document);
    expect(reply.document.address_match >= 80).toBe(outcome === "name_mismatch");
  });

  test.each([
    ["provider_down.png", 503, "provider_unavailable"],
    ["timeout.png", 504, "provider_timeout"],
  ])("called %s is %i %s and changes nothing", async (filename, status, code) => {
    const account = sandbox.account();
    const check = await started(account);
    const before = await seen(account, check);
    const reply = await submit(account, check, filename);
    expect(reply).toMatchObject({ status, body: { error: { code } } });
    expect(await seen(account, check)).toEqual(before);
  });
});

describe("what decides about a document", () => {
  const outcomes = { match: 20, address_mismatch: 0, name_mismatch: 10 };

  test.each(Object.entries(outcomes))(
    "the header asks for %s: %i points, whoever it shows",
    async (outcome, points) => {
      const account = sandbox.account();
      const check = await started(account, { full_name: "Musa Ibrahim" });
      const { headers, body } = await submit(account, check, "adaeze-otheraddress.png", {
        headers: { "X-Sandbox-Outcome": outcome },
      });
      expect(headers.get("X-Sandbox-Outcome")).toBe(`${outcome}; by=header`);
      expect(body.checks.document.points).toBe(points);
    },
  );

  test.each(Object.entries(outcomes))(
    "a rule asks for %s: %i points, whoever it shows",
    async (outcome, points) => {
      const account = sandbox.account();
      await account.rules.add({ on: "submitAddressDocument", outcome: outcome as OutcomeName, times: 1 });
      const changes = { full_name: "Musa Ibrahim", address: "Kano" };
      const { decision, document } = await shown("adaeze-otheraddress.png", changes, account);
      expect(decision).toBe(`${outcome}; by=rule`);
      expect(document.points).toBe(points);
      expect((await shown("adaeze.png", adaeze, account)).decision).toBe("match; by=people");
    },
  );

  test("a test value takes precedence over the person", async () => {
    expect((await shown("adaeze-othername.png")).decision).toBe("name_mismatch; by=test-value");
  });
});

describe("the file", () => {
  const pdf = "%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n";

  test.each([
    ["PDF", "bill.pdf", Buffer.from(pdf)],
    ["JPEG", "bill.jpg", jpegOfSize(40, 30)],
    ["WebP", "bill.webp", webpOfSize(40, 30)],
    ["PDF that is called a picture", "bill.png", Buffer.from(pdf)],
  ])("may be a %s", async (_what, filename, content) => {
    const account = sandbox.account();
    expect((await submit(account, await started(account), filename, { content })).status).toBe(200);
  });

  test.each([
    ["text that is called a picture", "bill.png", "Dear customer,"],
    ["a GIF", "bill.gif", "GIF89a\x01\0\x01\0\0\0\0;"],
  ])("may not be %s", async (_what, filename, content) => {
    const account = sandbox.account();
    const check = await started(account);
    const before = await seen(account, check);
    const { status, body } = await submit(account, check, filename, { content });
    expect(status).toBe(415);
    expect(body.error).toMatchObject({ code: "unsupported_media_type", param: "file" });
    expect(await seen(account, check)).toEqual(before);
  });

  test.each([
    ["missing", [], "missing_field"],
    ["text in a field", [field("file", "bill")], "missing_field"],
  ])("may not be %s", async (_what, parts, code) => {
    const account = sandbox.account();
    const check = await started(account);
    const response = await account.fetch(documentPath(check.id), {
      method: "POST",
      headers: { "Content-Type": formType },
      body: new Uint8Array(formOf(parts)),
    });
    const { status, body } = await read(response);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code, param: "file" });
  });

  test("may not be empty", async () => {
    const account = sandbox.account();
    const { status, body } = await submit(account, await started(account), "bill.png", { content: "" });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "validation_error", param: "file" });
  });
});

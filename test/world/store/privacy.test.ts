import { rmSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { SandboxAccount } from "../../../src/client/account/account.js";
import { filesBelow } from "../../support/folder.js";
import { png } from "../../support/forms.js";
import { type Program, startProgram, temporaryFolder } from "../../support/program.js";
import { call, post } from "../../support/sandbox.js";

const keyStart = "svc_live_Distinct1veKey";
const registered = "svc_test_Reg1steredKey";
const admin = "Adm1nTokenThatNobodySees";
const bvn = "22198765431";
const nin = "70198765432";
const marked = "BytesOfAnUploadedDocument";

/** A picture with the marker after its end, which readers ignore; a text field may have the same marker. */
const photo = Buffer.concat([png, Buffer.from(marked.repeat(100))]);
const file = new Blob([photo], { type: "image/png" });

const folder = temporaryFolder();
let program: Program;
/** A new one for each test. */
let key: string;
let account: SandboxAccount;
let accounts = 0;
const allSecrets = new Set<string>();

beforeAll(async () => {
  program = await startProgram(["--data", folder, "--admin-token", admin], folder);
});
beforeEach(async () => {
  key = `${keyStart}${++accounts}`;
  account = new SandboxAccount({ baseUrl: program.url, key, adminToken: admin });
  // Creates a record, so that there are files to search.
  expect((await post(account, "/v1/phone/verify/start", { phone: "08031234567" })).status).toBe(201);
});

const places = () => [
  ...filesBelow(folder),
  ["stdout", program.stdout()] as const,
  ["stderr", program.stderr()] as const,
];

/** Returns the files and outputs that contain a secret. */
const placesOf = (secrets: Iterable<string>): string[] =>
  places()
    .filter(([, text]) => [...secrets].some((secret) => text.includes(secret)))
    .map(([name]) => name);

/** Expects no file or output to contain a secret. */
function expectNowhere(...secrets: string[]): void {
  expect(places().map(([name]) => name)).toContainEqual(expect.stringMatching(/journal\.ndjson$/));
  expect(placesOf(secrets)).toEqual([]);
  for (const secret of secrets) allSecrets.add(secret);
}

// What the program writes when it stops is checked for the secrets of all tests.
afterAll(async () => {
  expect(await program.stop()).toBe(0);
  expect(places().map(([name]) => name)).toContainEqual(expect.stringMatching(/state\.json$/));
  expect(placesOf(allSecrets)).toEqual([]);
  rmSync(folder, { recursive: true });
});

test("API keys stay in memory, whether used, registered, wrong or in a query", async () => {
  const revoked = `${registered}_revoked`;
  await account.control("POST", "/keys", { key: registered });
  await post(
    new SandboxAccount({ baseUrl: program.url, key: registered, adminToken: admin }),
    "/v1/webhooks",
    {
      url: "http://127.0.0.1:9/",
    },
  );
  expect(
    (await call(new SandboxAccount({ baseUrl: program.url, key: revoked }), "GET", "/v1/balance")).status,
  ).toBe(401);
  expect((await call(account, "GET", `/v1/nowhere?key=${key}`)).status).toBe(404);
  expect((await call(account, "GET", `/v1/balance?key=${key}`)).status).toBe(200);
  expectNowhere(keyStart, registered);
});

test("session tokens and admin tokens stay in memory, whether right or wrong", async () => {
  const { token } = await account.control<{ token: string }>("POST", "/session-token");
  const signature = token.split(".")[2] as string;
  const statuses: number[] = [];
  for (const Authorization of [`Bearer ${token}`, `Bearer ${token}x`, `Basic ${admin}`]) {
    const headers = { Authorization, "Content-Type": "application/json" };
    const body = '{"domain":"shop.example"}';
    const reply = await fetch(`${program.url}/v1/domains/verify/start`, { method: "POST", headers, body });
    statuses.push(reply.status);
  }
  expect(statuses.slice(1)).toEqual([401, 401]);
  expect(statuses[0]).not.toBe(401);
  const stranger = new SandboxAccount({ baseUrl: program.url, key, adminToken: `${admin}x` });
  await expect(stranger.update({})).rejects.toMatchObject({ code: "admin_token_required" });
  expectNowhere(token, signature, admin);
});

test("uploaded files are not stored, whether accepted or refused", async () => {
  const upload = async (fields: Record<string, Blob | string>): Promise<number> => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return (await account.fetch("/v1/verify/document", { method: "POST", body })).status;
  };
  expect(await upload({ file })).toBe(200);
  expect(await upload({ file, note: marked })).toBe(200);
  expect(await upload({ wrong: file })).toBe(400);
  expect(await upload({ file: marked })).toBe(400);
  expectNowhere(marked);
});

test("a BVN or NIN given for a virtual account is not stored", async () => {
  const customer = { customer_name: "Ada Obi", customer_email: "ada@shop.example" };
  const create = async (identity: object): Promise<number> =>
    (await post(account, "/v1/business/virtual-accounts", { ...customer, ...identity })).status;
  expect(await create({ bvn })).not.toBe(400);
  expect(await create({ nin })).not.toBe(400);
  expect(await create({ bvn: `${bvn}0` })).toBe(400);
  expect(await create({ nin: Number(nin) })).toBe(400);
  expectNowhere(bvn, nin);
});

test("unreadable bodies are not shown on stderr", async () => {
  for (const body of [`{"bvn":"${bvn}"`, `["${nin}"]`, `{"bvn":\0"${bvn}"}`, key])
    expect((await post(account, "/v1/verify/bvn", body)).status).toBe(400);
  expectNowhere(bvn, nin, keyStart);
});

test("numbers, names, birth dates and phone numbers given to identity checks are not stored", async () => {
  const names = { first_name: "Distinctgiven", last_name: "Distinctfamily" };
  const person = { ...names, date_of_birth: "1903-03-03", phone_number: "+2348139876543" };
  const licence_number = "QXZ-98765aa05";
  const bank = { account_number: "1987654321", bank_code: "058" };
  const lookups: [path: string, body: object][] = [
    ["bvn", { bvn, ...person }],
    ["nin", { nin, ...names }],
    ["frsc", { licence_number, ...names }],
    ["bank-account", bank],
    ["bvn-account-match", { ...bank, bvn }],
  ];
  const outcomes = { match: 200, no_match: 200, not_found: 200, internal_error: 500, provider_timeout: 504 };
  for (const [path, body] of lookups) {
    for (const [outcome, status] of Object.entries(outcomes)) {
      const headers = { "X-Sandbox-Outcome": outcome };
      expect((await post(account, `/v1/verify/${path}`, body, headers)).status).toBe(status);
    }
    const spoilt = { ...body, bvn: 1, nin: 1, licence_number: `${licence_number}??`, bank_code: "x" };
    expect((await post(account, `/v1/verify/${path}`, spoilt)).status).toBe(400);
  }
  const plainLicence = licence_number.replace("-", "").toUpperCase();
  const given = [bvn, nin, licence_number, plainLicence, bank.account_number, ...Object.values(person)];
  expectNowhere(...given, "98765AA05", "8139876543");
});

test("what a person's data may be written into by mistake is not stored", async () => {
  const name = "Distinctname";
  const number = "98712345678901234";
  await call(account, "GET", `/v1/audits/${number}`);
  await call(account, "GET", `/v1/nowhere/${key}?${name}=1&media_type=${name}`);
  await call(account, "GET", "/v1/balance", undefined, { "X-Api-Key": key, "X-Bvn": bvn });
  const place = {
    latitude: 6.451234,
    longitude: 3.391234,
    accuracy_m: 12,
    [name]: 1,
    nested: { [nin]: [name] },
  };
  await post(account, "/v1/verify/address/ver_unknown/location", place);
  await post(account, "/v1/phone/verify/start", {
    phone: Number(number),
    reference: [name, { status: name }],
  });
  await post(account, "/v1/business/payouts", `{"amount":"${name}","expected":"${marked}"`);
  expect(await account.requests.list()).toHaveLength(6);
  expectNowhere(name, number, keyStart, bvn, nin, marked, "6.451234", "3.391234");
});

test("a photo's file name and its document's number are not stored", async () => {
  const check = async (path: string, ...fields: string[]): Promise<{ data: { document_number: string } }> => {
    const body = new FormData();
    for (const field of fields) body.set(field, file, "distinct-photo-hauwa.png");
    const response = await account.fetch(`/v1/verify/${path}`, { method: "POST", body });
    expect(response.status).toBe(200);
    return response.json() as Promise<{ data: { document_number: string } }>;
  };
  const { data } = await check("document", "file");
  await check("liveness", "file");
  await check("face-match", "selfie", "id_photo");
  expect(data.document_number).toBe("73915628040");
  expectNowhere(data.document_number, "distinct-photo", marked);
});

import { beforeEach, expect, test } from "vitest";
import { SandboxAccount } from "../../src/library/account.js";
import { filesBelow, freshFolder, startOn } from "../support/folder.js";
import type { Program } from "../support/program.js";
import { call, post } from "../support/sandbox.js";

const key = "svc_live_Distinct1veKey";
const registered = "svc_test_Reg1steredKey";
const admin = "Adm1nTokenThatNobodySees";
const bvn = "22198765431";
const nin = "70198765432";
const marked = "BytesOfAnUploadedDocument";

/** Where a multipart form's file, or a text field of the same content, carries the mark. */
const photo = `\x89PNG\r\n\x1a\n\0\0\0\rIHDR${marked.repeat(100)}`;
const file = new Blob([Buffer.from(photo, "latin1")], { type: "image/png" });

let folder: string;
let program: Program;
let account: SandboxAccount;
beforeEach(async () => {
  folder = freshFolder();
  program = await startOn(folder, "--admin-token", admin);
  account = new SandboxAccount(program.url, key, admin);
  // Something is on record, so that there are files to search.
  expect((await post(account, "/v1/phone/verify/start", { phone: "08031234567" })).status).toBe(201);
});

/** While it runs and after it has stopped: the files and streams that show one of the secrets are none. */
async function expectNowhere(...secrets: string[]): Promise<void> {
  const places = () => [
    ...filesBelow(folder),
    ["stdout", program.stdout()] as const,
    ["stderr", program.stderr()] as const,
  ];
  const showing = () =>
    places()
      .filter(([, text]) => secrets.some((secret) => text.includes(secret)))
      .map(([name]) => name);
  expect(places().map(([name]) => name)).toContainEqual(expect.stringMatching(/journal\.ndjson$/));
  expect(showing()).toEqual([]);
  expect(await program.stop()).toBe(0);
  expect(showing()).toEqual([]);
}

test("API keys, used, registered, wrong or in a query, stay in memory", async () => {
  const revoked = `${registered}_revoked`;
  await account.control("POST", "/keys", { key: registered });
  await post(new SandboxAccount(program.url, registered, admin), "/v1/webhooks", {
    url: "http://127.0.0.1:9/",
  });
  expect((await call(new SandboxAccount(program.url, revoked), "GET", "/v1/balance")).status).toBe(401);
  expect((await call(account, "GET", `/v1/nowhere?key=${key}`)).status).toBe(404);
  expect((await call(account, "GET", `/v1/balance?key=${key}`)).status).toBe(200);
  await expectNowhere(key, registered);
});

test("session tokens and the admin's token, right and wrong, stay in memory", async () => {
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
  const stranger = new SandboxAccount(program.url, key, `${admin}x`);
  await expect(stranger.update({})).rejects.toMatchObject({ code: "admin_token_required" });
  await expectNowhere(token, signature, admin);
});

test("uploaded files, taken or refused, are not kept", async () => {
  const upload = async (fields: Record<string, Blob | string>): Promise<number> => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return (await account.fetch("/v1/verify/document", { method: "POST", body })).status;
  };
  expect([200, 501]).toContain(await upload({ file }));
  expect([200, 501]).toContain(await upload({ file, note: marked }));
  expect(await upload({ wrong: file })).toBe(400);
  expect(await upload({ file: marked })).toBe(400);
  await expectNowhere(marked);
});

test("a BVN or NIN given for a virtual account is used and not kept", async () => {
  const customer = { customer_name: "Ada Obi", customer_email: "ada@shop.example" };
  const create = async (identity: object): Promise<number> =>
    (await post(account, "/v1/business/virtual-accounts", { ...customer, ...identity })).status;
  expect(await create({ bvn })).not.toBe(400);
  expect(await create({ nin })).not.toBe(400);
  expect(await create({ bvn: `${bvn}0` })).toBe(400);
  expect(await create({ nin: Number(nin) })).toBe(400);
  await expectNowhere(bvn, nin);
});

test("bodies that cannot be read are not told on standard error", async () => {
  for (const body of [`{"bvn":"${bvn}"`, `["${nin}"]`, `{"bvn":\0"${bvn}"}`, key])
    expect((await post(account, "/v1/verify/bvn", body)).status).toBe(400);
  await expectNowhere(bvn, nin, key);
});

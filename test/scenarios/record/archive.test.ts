/** What a client does with the real service becomes a scenario. A second sandbox plays the service. */
import { expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { readArchive } from "../../../src/scenarios/record/archive.js";
import { recordArchive } from "../../../src/scenarios/record/record-archive.js";
import type { RecordedSession } from "../../../src/scenarios/record/record-session.js";
import { field, file, png } from "../../support/forms.js";
import { call, useListeningSandbox } from "../../support/sandbox.js";
import { type ArchivedClient, archivedClient } from "./archived-client.js";

const service = useListeningSandbox();
const sandbox = useListeningSandbox();

/** Everything about people and access that the client sends or the service answers. */
const person = {
  phone: "+2348099887766",
  bvn: "22987654321",
  first_name: "Zebulon",
  last_name: "Quartermaine",
  email: "zebulon.q@mail.test",
  account_number: "3099887766",
  address: "77 Bluebird Crescent, Yaba",
  answer: "Persephone",
  latitude: 6.51234,
};

const codeSentTo = async (account: SandboxAccount, to: string): Promise<string> =>
  (await account.inbox.list({ to }))[0]?.codes[0] as string;

async function record({ archive }: ArchivedClient): Promise<RecordedSession> {
  const { entries, ...about } = await readArchive(archive);
  return recordArchive(entries, about);
}

/** Runs the recording on a fresh account and returns the steps that failed. */
async function failuresOf({ scenario, files }: RecordedSession) {
  const contents = new Map(files.map(({ name, base64 }) => [name, Buffer.from(base64, "base64")]));
  const { readFixture } = await import("../../../src/scenarios/bundled-scenarios.js");
  const result = await sandbox.account().scenario.run(scenario, {
    readFixture: async (name) => contents.get(name) ?? readFixture(name),
  });
  expect(result.steps.length).toBe(scenario.steps?.length);
  return result.steps.filter(({ passed }) => !passed);
}

test("codes, people, money, messages and uploads: the scenario passes, and nothing personal is in it", async () => {
  const account = service.account();
  const client = archivedClient(service.url, account.key);
  const { send } = client;
  // Codes
  const { body: started } = await send("POST", "/v1/phone/verify/start", {
    phone: person.phone,
    reference: `signup-${person.last_name}`,
  });
  const code = await codeSentTo(account, person.phone);
  await send("POST", "/v1/phone/verify/check", {
    id: started.id,
    code: code === "918273" ? "918274" : "918273",
  });
  const { body: checked } = await send("POST", "/v1/phone/verify/check", { id: started.id, code });
  expect(checked.verified).toBe(true);
  // People
  const { first_name, last_name, bvn } = person;
  await send("POST", "/v1/verify/bvn", { bvn, first_name, last_name, phone_number: person.phone });
  const { body: place } = await send("POST", "/v1/verify/address", {
    address: person.address,
    full_name: `${first_name} ${last_name}`,
    country: "NG",
    reference: "address-1",
  });
  const { latitude, longitude } = place.address;
  await send("POST", `/v1/verify/address/${place.id}/location`, { latitude, longitude, accuracy_m: 20 });
  await client.upload("/v1/verify/document", [file("file", png, "zebulon-passport.png")]);
  // Money
  await send("POST", "/v1/business/charges", { amount: 5_000 });
  await send("PUT", "/v1/business/profile", {
    business_name: `${last_name} Stores`,
    business_type: "registered",
    contact_phone: "08099887766",
  });
  const { body: va } = await send("POST", "/v1/business/virtual-accounts", {
    customer_name: `${first_name} ${last_name}`,
    customer_email: person.email,
    bvn,
  });
  const { body: paid } = await send("POST", "/v1/business/test/simulate-payment", {
    virtual_account_id: va.id,
    amount: 12_500,
  });
  await send("GET", `/v1/business/payments?virtual_account_id=${va.id}`);
  await send("POST", "/v1/business/refunds", { payment_id: paid.payment_id, reason: last_name });
  await send("PUT", "/v1/business/payout-account", {
    bank_code: "058",
    account_number: person.account_number,
  });
  // Messages
  const { body: channels } = await send("GET", "/v1/wa/channels");
  const channel = `/v1/wa/channels/${channels[0].id}`;
  const to = person.phone.slice(1);
  await send("POST", `${channel}/otp`, { to, brand: "Quartermaine" });
  await send("POST", `${channel}/otp`, { to, length: 4 });
  const { body: valid } = await send("POST", `${channel}/otp/verify`, {
    to,
    code: await codeSentTo(account, to),
  });
  expect(valid.valid).toBe(true);
  await send("POST", `${channel}/verify-identity`, { to, question: "Pet?", expected: person.answer });
  // Files
  const icon = [field("kind", "icon"), field("platform", "ios"), file("file", png, "zebulon.png")];
  const assets = await client.fetch("/v1/balance");
  expect(assets.status).toBe(200);
  await client.upload("/v1/tools/store-assets", icon);

  const recording = await record(client);
  expect(recording.left_out).toEqual(["file.png, which is not kept; id-card.png stands in for it"]);
  expect(await failuresOf(recording)).toEqual([]);
  const written = JSON.stringify(recording.scenario);
  const codes = (await account.inbox.list()).flatMap((message) => message.codes);
  const secrets = [
    ...Object.values(person),
    account.key,
    ...codes,
    "0809988",
    "809988776",
    "zebulon",
    "Pet?",
    latitude,
  ];
  for (const secret of secrets) expect(written.toLowerCase()).not.toContain(String(secret).toLowerCase());
  expect(codes.length).toBeGreaterThan(2);
});

test("records from before the recording become given, and lists with them stay lists", async () => {
  const account = service.account();
  const before = async (method: string, path: string, body: object) =>
    (await call(account, method, path, body)).body;
  await before("PUT", "/v1/business/profile", {
    business_name: "Ada Stores",
    business_type: "registered",
    contact_phone: "+2348031234567",
  });
  await before("PUT", "/v1/business/payout-account", { bank_code: "058", account_number: "0123456789" });
  const customer = { customer_name: "Chidi Obi", customer_email: "chidi@example.com" };
  const va = await before("POST", "/v1/business/virtual-accounts", customer);
  const simulate = { virtual_account_id: va.id, amount: 90_000 };
  const paid = await before("POST", "/v1/business/test/simulate-payment", simulate);
  await account.records.move(paid.payment_id, "settle");
  const client = archivedClient(service.url, account.key);
  const { body: listed } = await client.send("GET", "/v1/business/virtual-accounts");
  expect(listed.accounts).toHaveLength(1);
  const more = { virtual_account_id: va.id, amount: 3_000 };
  expect((await client.send("POST", "/v1/business/test/simulate-payment", more)).status).toBe(200);
  const refund = { payment_id: paid.payment_id, reason: "Returned" };
  expect((await client.send("POST", "/v1/business/refunds", refund)).status).toBe(201);
  expect((await client.send("POST", "/v1/business/payouts", { amount: 30_000 })).status).toBe(201);
  const recording = await record(client);
  expect(recording.scenario.given).toEqual({
    clock: "2026-03-01T09:00:00.000Z",
    virtual_accounts: [{}],
    payments: [{ amount: 100_000, settled: true }],
    payout_account: {},
    business: {},
  });
  expect(await failuresOf(recording)).toEqual([]);
});

test("a field whose name every object inherits makes no record from before", async () => {
  const client = archivedClient(service.url, service.account().key);
  const body = { phone: person.phone, constructor: "Toyota", toString: "a text" };
  expect((await client.send("POST", "/v1/phone/verify/start", body)).status).toBe(201);
  const recording = await record(client);
  expect(Object.keys(recording.scenario.given ?? {})).toEqual(["clock"]);
  expect(await failuresOf(recording)).toEqual([]);
});

test("time that passes on the service passes in the run, as soon as a read shows it", async () => {
  const account = service.account();
  let now = Date.parse("2026-03-01T09:00:00Z");
  const client = archivedClient(service.url, account.key, () => now);
  const { body: audit } = await client.send("POST", "/v1/audits", {
    url: "https://shop.example.com",
    tier: "deep",
  });
  expect((await client.send("GET", `/v1/audits/${audit.id}`)).body.status).toBe("pending");
  await account.advance("40m");
  now += 40 * 60_000;
  expect((await client.send("GET", `/v1/audits/${audit.id}`)).body.status).toBe("ready");
  const recording = await record(client);
  expect(recording.scenario.steps?.filter((step) => "advance" in step)).toEqual([{ advance: "40m" }]);
  expect(await failuresOf(recording)).toEqual([]);
});

test("a registered endpoint becomes a receiver of the run", async () => {
  const client = archivedClient(service.url, service.account().key);
  const url = "https://hooks.quartermaine.example/service";
  await client.send("POST", "/v1/webhooks", { url, events: ["payout.paid"] });
  const recording = await record(client);
  expect(recording.scenario.steps).toEqual([{ receive: { events: ["payout.paid"] } }]);
  expect(await failuresOf(recording)).toEqual([]);
});

test("a live account is recorded as live, and its amounts stay", async () => {
  const account = service.account({ mode: "live" });
  const client = archivedClient(service.url, account.key);
  await client.send("GET", "/v1/balance");
  const recording = await record(client);
  expect(recording.scenario.account).toBe("live");
  expect(JSON.stringify(recording.scenario)).not.toContain(account.key);
});

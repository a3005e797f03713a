/** Random exchanges of every operation, the same ones each time, with all that a client or a tester sees of them. */
import { readFile } from "node:fs/promises";
import { type AnyOperation, methodOf, pathOf } from "../../src/contract/operation.js";
import type { SandboxAccount } from "../../src/index.js";
import { serviceOperations } from "../../src/service/index.js";
import { covers, serviceSections } from "../../src/service/sections.js";
import { testValues } from "../../src/service/test-values.js";
import { sessionToken } from "../service/domains/dashboard.js";
import { png } from "./forms.js";
import { sample } from "./requests.js";
import { fetchFrom } from "./sandbox.js";

/** Every exchange happens at or after this instant. */
export const firstInstant = "2026-01-15T12:00:00.000Z";

/** Instant before which nothing has happened in real time, in ms: the sandbox is started with the tests. */
const beforeRun = Date.now() - 60_000;

/** What takes the place of a real time, which differs from run to run. */
const realTime = "2026";

const hideRealTime = (time: string): string => {
  const at = Date.parse(time);
  return at >= beforeRun && at <= Date.now() ? realTime : time;
};

/** Returns numbers from 0 to below 1 that depend on the seed alone. */
function drawsOf(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const addresses = [
  "12 Allen Avenue, Ikeja, Lagos",
  "8 Ogui Road, Enugu",
  "Ikeja, Lagos",
  "Kano",
  "12 Nowhere Street",
  "Somewhere 4, Abuja",
  "10 Downing Street, London",
  "Plot 5B, Block 3, Admiralty Way, Lekki Phase 1",
  "Flat 2, No. 14 Adeola Odeku St., V.I., Lagos",
  "Km 12 Lekki-Epe Expressway",
  "House 7, 3rd Avenue, Gwarinpa, FCT",
  "opposite the market, Onitsha",
];

/** Values of request fields by name. Others follow from the schema. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  phone: ["08031234567", "+2348031234567", "+447911123456", "0803 123 4567", "12"],
  contact_phone: ["+2348031234567", "08031234567", "07"],
  to: ["2348031234567", "2348000000010", "2348000000008", "2348000000007", "+234803"],
  code: ["123456", "000000", "654321", "12", "1234"],
  amount: [100, 5_000, 4_999.99, 20_000, 150_000, 6_000_000, 100.05, 200.59, 300.68, 100.57, 0, 12.345],
  bank_code: ["058", "044", "50211", "000013", "999", "12"],
  account_number: ["0143728169", "2004819376", "0123456789", "1111111111", "6666666666"],
  bvn: ["22301948576", "22716930458", "22123456789"],
  nin: ["35402817694", "48120936571"],
  licence_number: ["LSR48213AA05", "AAA12345678"],
  first_name: ["Adaeze", "ADAEZE", "Chidi", "Adaze"],
  last_name: ["Okafor", "Okafour", "Obi"],
  full_name: ["Adaeze Okafor", "Okafor Adaeze N.", "Musa Ibrahim", "Chioma Eze"],
  date_of_birth: ["1990-04-12", "1990-04-17"],
  address: addresses,
  country: ["NG", "NG", "NG", "GB", "Nigeria"],
  radius_m: [100, 150, 1_000],
  latitude: [6.6018, 6.5966, 9.0579, 91],
  longitude: [3.3515, 3.3421, 7.4951],
  accuracy_m: [5, 30, 400],
  text: ["word ".repeat(200), "It is important to note that we delve into tapestries. ".repeat(20), "short"],
  url: [
    "https://shop.example",
    "https://perfect.test/",
    "http://deepfail.test",
    "https://unreachable.test",
    "x",
  ],
  domain: ["shop.example", "bücher.example", "localhost", "https://shop.example/"],
  expected: ["Lagos", "lagos city", "Ada"],
  length: [4, 6, 8, 9],
  template: ["{code} is your code for {site}.", "no code"],
  business_name: ["Ada Stores", "Ọbí & Sons"],
  reference: ["r-1", "r-2", "order-1042"],
  events: [["payment.received"], ["payout.paid", "verification.completed"]],
  size: [64, 512],
  company_name: ["Ada Stores", "Ọ", "A very long name of a company"],
};

/** Kinds of test values by the field that has them. */
const kinds: Readonly<Record<string, string>> = {
  phone: "phone",
  bvn: "bvn",
  nin: "nin",
  licence_number: "licence",
  account_number: "account number",
};

const fileNames = [
  "photo.png",
  "adaeze.png",
  ...testValues.filter(({ where }) => where === "file name").map(({ value }) => `${value}.png`),
];

/** Fixtures for uploads, by operation. A picture is sent where none is named. */
const fixtures: Readonly<Record<string, readonly string[]>> = {
  verifyDocument: ["id-card.png"],
  submitAddressDocument: ["utility-bill.png"],
  verifyLiveness: ["selfie.jpg"],
  verifyFaceMatch: ["selfie.jpg", "id-card.png"],
  scanImage: ["selfie.jpg", "id-card.png", "utility-bill.png"],
  scanVideo: ["clip.mp4"],
  convertAudio: ["tone.wav"],
  convertDocxToPdf: ["order.docx"],
  convertPdfToDocx: ["order.pdf"],
};

/** Operations whose replies take long to make or differ between machines, which one session in ten calls. */
const isSlow = ({ route }: AnyOperation): boolean => /\/v1\/tools\/(?!generate-logo)/.test(route);

/** Headers of replies that a client may read. */
const shownHeaders = ["content-type", "retry-after", "x-request-id", "x-sandbox-outcome", "location"];

export type Keep = (group: string, seen: unknown) => void;

/** Fields that differ between runs: durations, real times, and the checksums of snapshots with them. */
const varying = ["duration_ms", "date", "checksum", "exported_at"];

/** Returns what was seen as JSON, without what differs between runs, such as the ports of receivers. */
export const formatSeen = (seen: unknown): string =>
  JSON.stringify(seen, (name, value) => (varying.includes(name) ? 0 : value))
    .replaceAll(/127\.0\.0\.1:(?!9\b)\d+/g, "127.0.0.1")
    .replaceAll(/\d{4}-\d\d-\d\dT[0-9:.]+Z/g, hideRealTime);

interface Session {
  account: SandboxAccount;
  draw(): number;
  pick<T>(of: readonly T[]): T;
  /** Ids of replies by their prefix. */
  ids: Map<string, string[]>;
  keep: Keep;
}

/** Calls that create what later ones use. */
const beginning: readonly [id: string, fields: Readonly<Record<string, unknown>>][] = [
  [
    "saveBusinessProfile",
    { business_name: "Ada Stores", business_type: "registered", contact_phone: "+2348031234567" },
  ],
  [
    "createVirtualAccount",
    { customer_name: "Chidi Obi", customer_email: "chidi@example.com", bvn: "22301948576" },
  ],
  ["simulatePayment", { amount: 20_000 }],
  [
    "createCharge",
    { amount: 7_000, customer_name: "Ada", customer_email: "a@example.com", description: "x" },
  ],
  ["setPayoutAccount", { bank_code: "058", account_number: "0143728169" }],
  ["createChannel", { label: "Shop" }],
  ["connectChannel", {}],
];

const named = (id: string): AnyOperation =>
  serviceOperations.find((operation) => operation.id === id) as AnyOperation;

/** Plays a session of `calls` exchanges of all operations, whose numbers depend on the seed alone. */
export async function playSession(
  account: SandboxAccount,
  seed: number,
  calls: number,
  keep: Keep,
): Promise<void> {
  const draw = drawsOf(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(draw() * of.length)] as T;
  const session: Session = { account, draw, pick, ids: new Map(), keep };
  await account.clock.freeze(firstInstant);
  await account.update({ plan: pick(["starter", "growth", "business", "business", "business"]) });
  await account.control("POST", "/webhooks", {
    url: "http://127.0.0.1:9/hooks",
    secret: "whsec_exchanges_of_tests",
  });
  const quick = serviceOperations.filter((operation) => !isSlow(operation));
  const section = pick(serviceSections);
  const themed = quick.filter((operation) => covers(section, pathOf(operation)));
  for (const [id, fields] of seed % 4 === 0 ? [] : beginning) await exchange(session, named(id), fields);
  for (let at = 0; at < calls; at++) {
    const usual = themed.length > 0 && draw() < 0.6 ? pick(themed) : pick(quick);
    await exchange(session, seed % 10 === 0 && at % 10 === 0 ? pick(serviceOperations) : usual);
    if (draw() < 0.3) await disturb(session);
  }
  await look(session);
}

/** Does what makes a session go on without a call to the service. */
async function disturb({ account, draw, pick, ids, keep }: Session): Promise<void> {
  const chance = draw();
  if (chance < 0.4) {
    const by = pick(["1m", "10m", "1h", "25h"]);
    keep("clock", await account.advance(by));
    return;
  }
  if (chance < 0.5) return reply(account, pick(["Lagos", "lagos  CITY", "no"]));
  const id = pick([...ids.values()].flat());
  if (id === undefined) return;
  const record = await account.records.get(id).catch(() => null);
  const moves = (record as { moves?: { move: string }[] } | null)?.moves ?? [];
  if (moves.length === 0) return;
  const { move } = pick(moves);
  const moved = await account.records.move(id, move).catch((error: Error) => error.message);
  keep("moves", [id, move, moved]);
}

const webhookUrl = named("registerWebhook").body?.properties.url;

async function reply(account: SandboxAccount, text: string): Promise<void> {
  await account.inbox.reply({ from: "2348031234567", text } as never).catch(() => null);
}

function fieldValue({ draw, pick, ids }: Session, name: string, schema: object, codes: string[]): unknown {
  const known = values[name] ?? (schema as { enum?: unknown[] }).enum;
  const chance = draw();
  if (name === "code" && codes.length > 0 && chance < 0.6) return codes[0];
  if (name === "url" && schema === webhookUrl) return pick(["http://127.0.0.1:9/other", "x"]);
  if (name === "id") return pick(ids.get("phv_") ?? ["phv_0"]);
  if (name === "payment_id") return pick(ids.get("pay_") ?? ["pay_0"]);
  if (name === "virtual_account_id") return pick(ids.get("va_") ?? ["va_0"]);
  if (chance < 0.02) return null;
  if (chance < 0.03) return { odd: [1] };
  const kind = kinds[name];
  if (kind && chance < 0.3)
    return pick(testValues.filter(({ where }) => where === kind).map(({ value }) => value));
  return known && known.length > 0 ? pick(known) : sample(schema as never);
}

const prefixes: Readonly<Record<string, string>> = {
  domain_id: "dom_",
  channel_id: "wac_",
  verification_id: "idq_",
};

function pathFor({ pick, ids }: Session, operation: AnyOperation): string {
  return pathOf(operation).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const schema = operation.params?.properties[name] as { enum?: string[] } | undefined;
    if (schema?.enum) return pick([...schema.enum, "radio"]);
    const prefix = prefixes[name] ?? (operation.id === "getAudit" ? "aud_" : "ver_");
    return pick([...(ids.get(prefix) ?? []), ...(ids.get(prefix) ?? []), `${prefix}0`]);
  });
}

function fieldsOf(session: Session, schema: AnyOperation["body"], codes: string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, of] of Object.entries(schema?.properties ?? {})) {
    const isRequired = schema?.required?.includes(name);
    if (session.draw() < (isRequired ? 0.97 : 0.5)) fields[name] = fieldValue(session, name, of, codes);
  }
  return fields;
}

async function formOf({ pick }: Session, operation: AnyOperation, fields: object): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  for (const name of Object.keys(operation.upload ?? {})) {
    const fixture = pick(fixtures[operation.id] ?? [""]);
    const bytes = fixture === "" ? png : await readFile(`fixtures/files/${fixture}`);
    form.set(name, new File([new Uint8Array(bytes)], pick([fixture || "photo.png", ...fileNames])));
  }
  return form;
}

/** Makes one call of the operation, valid or not, and keeps what the client sees. */
async function exchange(session: Session, operation: AnyOperation, given?: object): Promise<void> {
  const { account, draw, pick, ids, keep } = session;
  const codes = (await account.inbox.list()).flatMap((message) => message.codes);
  const query = new URLSearchParams();
  for (const [name, of] of Object.entries(operation.query?.properties ?? {}))
    if (draw() < 0.5) query.set(name, String(fieldValue(session, name, of, codes)));
  const path = `${pathFor(session, operation)}${query.size > 0 ? `?${query}` : ""}`;
  const drawn = fieldsOf(session, operation.body, codes);
  const fields = given ? { virtual_account_id: drawn.virtual_account_id, ...given } : drawn;
  const headers: Record<string, string> =
    operation.auth === "session"
      ? { Authorization: `Bearer ${await sessionToken(account)}` }
      : { "X-Service-Key": account.key };
  if (!given && draw() < 0.02) delete headers["X-Service-Key"];
  if (!given && draw() < 0.2)
    headers["X-Sandbox-Outcome"] = pick([...Object.keys(operation.outcomes), "provider_timeout"]);
  const init: RequestInit = { method: methodOf(operation), headers };
  if (operation.upload) init.body = await formOf(session, operation, fields);
  else if (operation.body) {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(fields);
  }
  const response = await fetchFrom(account, path, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  const isText = /json|text|svg/.test(response.headers.get("content-type") ?? "");
  const body = isText ? bytes.toString() : `${bytes.length} bytes`;
  const shown = shownHeaders.map((name) => response.headers.get(name));
  const sent = operation.upload ? Object.keys(fields) : fields;
  keep(operation.id, [init.method, path, sent, response.status, shown, body]);
  for (const [id, prefix] of body.matchAll(/\b([a-z]{2,3}_)[a-z0-9]{8,}\b/g)) {
    const known = ids.get(prefix as string) ?? [];
    if (!known.includes(id)) ids.set(prefix as string, [...known, id]);
  }
  for (const [, reference] of body.matchAll(/"reference":"(chg_[a-z0-9]+)"/g)) await pay(session, reference);
}

/** Pays a charge, with one card or another. */
async function pay({ account, draw, pick, keep }: Session, reference = ""): Promise<void> {
  if (draw() < 0.2) return;
  const card = pick(["4242424242424242", "4000000000000002", "4000000000003220"]);
  const paid = await account
    .control("POST", `/checkout/${reference}/pay`, { card })
    .catch((error: Error) => error.message);
  keep("checkouts", paid);
}

/** Keeps what the session has left: its events, deliveries, messages, ledger, requests, activities and whole state. */
async function look({ account, keep }: Session): Promise<void> {
  for (const path of ["events", "deliveries", "inbox", "ledger"])
    keep(path, await account.control("GET", `/${path}`));
  // Deliveries that fall due at one instant arrive in any order.
  keep("activities", (await account.activity.list()).map(({ title }) => title).sort());
  keep("snapshots", (await account.snapshot()).state);
}

/** The records and files that probes and checks need on a side. Each record is made once. */
import { createHash } from "node:crypto";
import { valueAt } from "../contract/json.js";
import { toNaira } from "../contract/money.js";
import type { AnyOperation } from "../contract/operation.js";
import { fieldsIn } from "../contract/schema-walk.js";
import { exampleBody, exampleQuery } from "../pact/examples.js";
import { readFixture } from "../scenarios/bundled-scenarios.js";
import { maxTransfer } from "../service/business/ledger.js";
import { second } from "../time/time.js";
import { type DriftWebhook, type WebhookReceiver, webhookWaitMs } from "./receiver.js";
import {
  CouldNotCheck,
  isRefusal,
  isSuccess,
  listIn,
  NotTestable,
  operationNamed,
  type ReceivedReply,
  type ServiceReply,
  type ServiceRequest,
  valueIn,
} from "./service-client.js";
import { ask, type DriftSide, idIn, made, poll } from "./side.js";

/** Starts a phone verification that no other check uses. */
export const startPhone = (side: DriftSide): Promise<ReceivedReply> =>
  ask(side, "startPhoneVerification", { body: { phone: side.phone } });

/** Returns the digits of a phone number that no other check uses. */
export function newNumber(side: DriftSide): string {
  const hash = createHash("sha256").update(side.reference()).digest();
  return `234803${String(hash.readUInt32BE() % 10_000_000).padStart(7, "1")}`;
}

/** Number of wrong codes that are tried: more than the attempts of any documented code. */
const maxWrongCodes = 8;
export const wrongCodes = Array.from({ length: maxWrongCodes }, (_, index) =>
  String(100_917 + index * 98_765),
);

export const connectedChannel = (side: DriftSide): Promise<string> =>
  side.once("connected channel", async () => {
    const connected = listIn(await ask(side, "listChannels")).find(({ status }) => status === "connected");
    if (!connected) throw new NotTestable("needs a connected channel; link a number in the dashboard");
    return String(connected.id);
  });

export const newChannel = (side: DriftSide): Promise<string> =>
  side.once("new channel", async () =>
    idIn(await ask(side, "createChannel", { body: { label: "Standin drift" } })),
  );

const customer = { customer_name: "Standin Drift", customer_email: "drift@standin.test" };
const profile = {
  business_name: "Standin Drift",
  business_type: "individual",
  contact_phone: "+2348031234567",
};

export const postVirtualAccount = ({ service }: DriftSide, reference: string): Promise<ReceivedReply> =>
  service.call("createVirtualAccount", { body: { ...customer, reference } });

/** Creates a virtual account. Saves a business profile first if the account has none. */
export async function requestVirtualAccount(side: DriftSide, reference: string): Promise<ReceivedReply> {
  const reply = await postVirtualAccount(side, reference);
  if (!isRefusal(reply)) return reply;
  await side.service.call("saveBusinessProfile", { body: profile });
  return postVirtualAccount(side, reference);
}

/** Maximum number of calls of `requestVirtualAccount`. */
export const callsToCreateAccount = 3;

export const newVirtualAccount = async (side: DriftSide): Promise<string> =>
  idIn(await made(requestVirtualAccount(side, side.reference())));

export const anyVirtualAccount = (side: DriftSide): Promise<string> =>
  side.once("virtual account", () => newVirtualAccount(side));

/** Returns how many of the records a list shows: `all`, or for example `1 of 2`. Asks again for 2 s if some are missing. */
export const listedOf = (
  side: DriftSide,
  ids: readonly string[],
  list: () => Promise<ReceivedReply>,
): Promise<string> =>
  countListed(side, ids.length, async () => {
    const text = JSON.stringify((await made(list())).body);
    return ids.filter((id) => text.includes(JSON.stringify(id))).length;
  });

/** Returns how many records are listed: `all`, or for example `1 of 2`. Counts again for 2 s if some are missing. */
export async function countListed(
  { pass }: DriftSide,
  expected: number,
  count: () => Promise<number>,
): Promise<string> {
  let listed = 0;
  await poll({ pass }, { waitMs: 2 * second, intervalMs: second }, async () => {
    listed = await count();
    return listed >= expected || null;
  });
  return listed >= expected ? "all" : `${listed} of ${expected}`;
}

/** Maximum number of times that `listedOf` and `countListed` ask for the list. */
export const callsToList = 3;

/** Simulates a payment and returns its id and status. */
export async function anyPayment(side: DriftSide, amount: number): Promise<{ id: string; status: unknown }> {
  const body = { virtual_account_id: await anyVirtualAccount(side), amount };
  const reply = await ask(side, "simulatePayment", { body });
  return { id: String(valueIn(reply, "payment_id")), status: valueIn(reply, "status") };
}

export const smallPayment = (side: DriftSide) => side.once("payment", () => anyPayment(side, 5_000));

/** A payment above the receive limit, which is held. Rejects if the account has no such limit any more. */
export const heldPayment = (side: DriftSide) =>
  side.once("held payment", async () => {
    const overview = await ask(side, "getBusinessOverview");
    if (valueIn(overview, "business_verified") === true)
      throw new NotTestable("needs an account whose business certificate is not verified");
    return anyPayment(side, Number(valueIn(overview, "limit")) + 1);
  });

export const payoutAccount = (side: DriftSide): Promise<ReceivedReply> =>
  side.once("payout account", () => ask(side, "setPayoutAccount", exampleCall("setPayoutAccount")));

export const anyAddressCheck = (side: DriftSide): Promise<ReceivedReply> =>
  side.once("address check", () => ask(side, "verifyAddress", exampleCall("verifyAddress")));

/** More than most accounts have, in naira. */
const largePayout = 4_999_999;

/** Returns an amount in naira that the account cannot pay out. Calls the overview. */
export async function unpayableAmount({ service }: Pick<DriftSide, "service">): Promise<number> {
  const balance = valueIn(await service.call("getBusinessOverview"), "balance");
  if (typeof balance !== "number") return largePayout;
  return Math.min(toNaira(maxTransfer), Math.max(largePayout, Math.ceil(balance) + 1));
}

/** Registers the receiver once, so that each webhook arrives once. `secret` is null if the reply has none. */
export const registeredEndpoint = ({
  once,
  service,
  receiver,
}: DriftSide): Promise<{ receiver: WebhookReceiver; secret: string | null }> =>
  once("endpoint", async () => {
    if (!receiver) throw new NotTestable("needs an address that the service can reach; pass --webhook-url");
    const registered = await service.call("registerWebhook", { body: { url: receiver.url } });
    if (!isSuccess(registered)) throw new CouldNotCheck("the service does not register the webhook endpoint");
    const secret = valueIn(registered, "secret");
    return { receiver, secret: typeof secret === "string" ? secret : null };
  });

/** Returns the receiver, once it is registered. */
export const endpoint = async (side: DriftSide): Promise<WebhookReceiver> =>
  (await registeredEndpoint(side)).receiver;

/** Returns a function that creates a virtual account, and a predicate that recognises the webhooks of its event. */
export function newCause(side: DriftSide) {
  const reference = side.reference();
  return {
    create: () => requestVirtualAccount(side, reference),
    isOwn: ({ body }: DriftWebhook) => valueAt(body, ["data", "reference"]) === reference,
  };
}

interface Delivered {
  readonly webhook: DriftWebhook;
  /** The reply that the event follows from. */
  readonly reply: ServiceReply;
}

/** Causes an event and answers its webhook with 204. Probes and checks of a single delivery share it. */
export const delivered = (side: DriftSide): Promise<Delivered> =>
  side.once("delivery", async () => {
    const receiver = await endpoint(side);
    const { create, isOwn } = newCause(side);
    const reply = await create();
    if (!isSuccess(reply))
      throw new CouldNotCheck("no virtual account could be created, so no webhook was sent");
    const webhook = await receiver.next(isOwn, Math.max(side.waitMs, webhookWaitMs));
    if (!webhook)
      throw new CouldNotCheck("no virtual_account.created arrived at --webhook-url; pass a longer --wait");
    return { webhook, reply };
  });

/** Maximum number of calls of `delivered`. */
export const callsToDeliver = 1 + callsToCreateAccount;

/** Returns an id of the record's kind that no record has. */
export const unknownId = (prefix: string): string => `${prefix}${"0".repeat(20)}`;

/** Returns a request with the example values of the operation, without ids of records. */
export function exampleCall(id: string): ServiceRequest & { body?: Record<string, unknown> } {
  const operation = operationNamed(id);
  const body = exampleBody(operation);
  return { query: exampleQuery(operation), ...(body ? { body: { ...body } } : {}) };
}

/** Returns the first allowed value of each text field of an upload. */
export const firstValues = (operation: AnyOperation): Record<string, unknown> =>
  Object.fromEntries(fieldsIn(operation.body).map(({ name, schema }) => [name, schema.enum?.[0]]));

/** Returns a valid request: the example with the ids of records of this side. */
export async function validRequest(side: DriftSide, id: string): Promise<ServiceRequest> {
  const { body, query } = exampleCall(id);
  const { params = {}, body: given = {}, files } = (await givenTo[id]?.(side)) ?? {};
  return {
    params,
    query: query ?? {},
    ...(body ? { body: { ...body, ...given } } : {}),
    ...(files ? { files } : {}),
  };
}

export const videoFile = async (fixture: string): Promise<File> =>
  new File([new Uint8Array(await readFixture(fixture))], fixture, { type: "video/mp4" });

type Given = Pick<ServiceRequest, "params" | "body" | "files">;

/** Returns a channel and a person to whom nothing has been sent. */
export const inChannel = async (side: DriftSide): Promise<Given> => ({
  params: { channel_id: await connectedChannel(side) },
  body: { to: newNumber(side) },
});

/** The ids and numbers of a valid request, by operation. */
const givenTo: Readonly<Record<string, (side: DriftSide) => Promise<Given>>> = {
  submitAddressLocation: async (side) => ({ params: { id: idIn(await anyAddressCheck(side)) } }),
  submitAddressDocument: async (side) => ({ params: { id: idIn(await anyAddressCheck(side)) } }),
  checkPhoneVerification: async (side) => ({
    body: {
      id: await side.once("phone verification", async () => idIn(await startPhone(side))),
    },
  }),
  createStreamingToken: async (side) => ({
    params: { session_type: "voice" },
    body: { room_name: side.reference(), identity: "standin-drift" },
  }),
  sendChannelMessage: inChannel,
  sendChannelCode: inChannel,
  checkChannelCode: inChannel,
  startIdentityCheck: inChannel,
  scanVideo: async () => ({ files: { file: await videoFile("clip.mp4") } }),
  getAudit: async () => ({ params: { id: unknownId("aud_") } }),
  getIdentityCheck: async () => ({
    params: { channel_id: unknownId("chn_"), verification_id: unknownId("chk_") },
  }),
  connectChannel: async (side) => ({ params: { channel_id: await connectedChannel(side) } }),
  createVirtualAccount: async (side) => ({ body: { reference: side.reference() } }),
  createCharge: async (side) => {
    await anyVirtualAccount(side);
    return {};
  },
  simulatePayment: async (side) => ({ body: { virtual_account_id: await anyVirtualAccount(side) } }),
  createPayout: async (side) => {
    await payoutAccount(side);
    return {};
  },
  createRefund: async (side) => ({ body: { payment_id: (await smallPayment(side)).id } }),
};

/** First bytes of files by media type, each as Latin-1 text, by which a service tells their type. */
export const fileHeads: Readonly<Record<string, string>> = {
  "application/pdf": "%PDF-1.7\n",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "PK\x03\x04",
  "audio/wav": "RIFF\x24\0\0\0WAVEfmt ",
  "image/png": "\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
  "video/mp4": "\0\0\0\x18ftypmp42\0\0\0\0mp42isom",
};

/** Returns a file that begins like one of the type and then breaks off. */
export const brokenFile = (type: string): File => {
  const bytes = Buffer.from(`${fileHeads[type] ?? ""}standin drift`, "latin1");
  return new File([new Uint8Array(bytes)], "standin-drift", { type });
};

/** A PNG of one pixel. Readers ignore what follows its end. */
export const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/** Returns a picture of one pixel. */
export const pixelFile = (): File =>
  new File([new Uint8Array(pixel)], "standin-drift.png", { type: "image/png" });

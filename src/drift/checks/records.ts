/** The records and files that checks need on a side. Each record is made once. */
import { createHash } from "node:crypto";
import type { AnyOperation } from "../../contract/operation.js";
import { fieldsIn } from "../../contract/schema-walk.js";
import { exampleBody, exampleQuery } from "../../pact/examples.js";
import { readFixture } from "../../scenarios/bundled-scenarios.js";
import { second } from "../../time/time.js";
import { requestVirtualAccount } from "../probes/business.js";
import { connectedIn } from "../probes/channels.js";
import { idIn } from "../probes/phone.js";
import { poll } from "../probes/probe.js";
import { pixel } from "../probes/tools.js";
import {
  CouldNotCheck,
  describeReply,
  isSuccess,
  NotTestable,
  operationNamed,
  type ReceivedReply,
  type ServiceRequest,
  valueIn,
} from "../service-client.js";
import type { CheckedSide } from "./check.js";

/** Returns the reply, or rejects if the service refuses what other checks need. */
export async function made(call: Promise<ReceivedReply>): Promise<ReceivedReply> {
  const reply = await call;
  if (!isSuccess(reply)) throw new CouldNotCheck(describeReply(reply));
  return reply;
}

/** Returns the reply to a call, or rejects if the service refuses what other checks need. */
export const ask = ({ service }: CheckedSide, id: string, request?: ServiceRequest): Promise<ReceivedReply> =>
  made(service.call(id, request));

/** Starts a phone verification of its own. */
export const startPhone = (side: CheckedSide): Promise<ReceivedReply> =>
  ask(side, "startPhoneVerification", { body: { phone: side.phone } });

/** Returns the digits of a phone number that no other check uses. */
export function newNumber(side: CheckedSide): string {
  const hash = createHash("sha256").update(side.reference()).digest();
  return `234803${String(hash.readUInt32BE() % 10_000_000).padStart(7, "1")}`;
}

export const connectedChannel = (side: CheckedSide): Promise<string> =>
  side.once("connected channel", async () => connectedIn(await ask(side, "listChannels")));

export const newChannel = (side: CheckedSide): Promise<string> =>
  side.once("new channel", async () =>
    idIn(await ask(side, "createChannel", { body: { label: "Standin drift" } })),
  );

export const anyVirtualAccount = (side: CheckedSide): Promise<string> =>
  side.once("virtual account", async () => idIn(await made(requestVirtualAccount(side, side.reference()))));

/** Returns how many of the records a list shows, `all` or such as `1 of 2`. Asks again for 2 s if some are missing. */
export const listedOf = (
  side: CheckedSide,
  ids: readonly string[],
  list: () => Promise<ReceivedReply>,
): Promise<string> =>
  countListed(side, ids.length, async () => {
    const text = JSON.stringify((await made(list())).body);
    return ids.filter((id) => text.includes(JSON.stringify(id))).length;
  });

/** Returns how many records are listed: `all` or such as `1 of 2`. Counts again for 2 s if some are missing. */
export async function countListed(
  { pass }: CheckedSide,
  expected: number,
  count: () => Promise<number>,
): Promise<string> {
  let listed = 0;
  await poll({ waitMs: 2 * second, sleep: pass }, second, async () => {
    listed = await count();
    return listed >= expected || null;
  });
  return listed >= expected ? "all" : `${listed} of ${expected}`;
}

/** Maximum number of times that `listedOf` and `countListed` ask for the list. */
export const callsToList = 3;

/** Simulates a payment and returns its id and status. */
export async function anyPayment(
  side: CheckedSide,
  amount: number,
): Promise<{ id: string; status: unknown }> {
  const body = { virtual_account_id: await anyVirtualAccount(side), amount };
  const reply = await ask(side, "simulatePayment", { body });
  return { id: String(valueIn(reply, "payment_id")), status: valueIn(reply, "status") };
}

export const smallPayment = (side: CheckedSide) => side.once("payment", () => anyPayment(side, 5_000));

/** A payment above the receive limit, which is held. Rejects if the account has no such limit any more. */
export const heldPayment = (side: CheckedSide) =>
  side.once("held payment", async () => {
    const overview = await ask(side, "getBusinessOverview");
    if (valueIn(overview, "business_verified") === true)
      throw new NotTestable("needs an account whose business certificate is not verified");
    return anyPayment(side, Number(valueIn(overview, "limit")) + 1);
  });

export const payoutAccount = (side: CheckedSide): Promise<ReceivedReply> =>
  side.once("payout account", () => ask(side, "setPayoutAccount", exampleCall("setPayoutAccount")));

export const anyAddressCheck = (side: CheckedSide): Promise<ReceivedReply> =>
  side.once("address check", () => ask(side, "verifyAddress", exampleCall("verifyAddress")));

/** Returns an id of the record's kind that no record has. */
export const unknownId = (prefix: string): string => `${prefix}${"0".repeat(20)}`;

/** Returns a request with the example values of the operation, without ids of records. */
export function exampleCall(id: string): ServiceRequest & { body?: Record<string, unknown> } {
  const operation = operationNamed(id);
  const body = exampleBody(operation);
  return { query: exampleQuery(operation), ...(body ? { body: { ...body } } : {}) };
}

/** Returns the first choice of each text that goes beside a file. */
export const firstValues = (operation: AnyOperation): Record<string, unknown> =>
  Object.fromEntries(fieldsIn(operation.body).map(({ name, schema }) => [name, schema.enum?.[0]]));

/** Returns a valid request: the example with the ids of records of this side. */
export async function validRequest(side: CheckedSide, id: string): Promise<ServiceRequest> {
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
export const inChannel = async (side: CheckedSide): Promise<Given> => ({
  params: { channel_id: await connectedChannel(side) },
  body: { to: newNumber(side) },
});

/** The ids and numbers of a valid request, by operation. */
const givenTo: Readonly<Record<string, (side: CheckedSide) => Promise<Given>>> = {
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

/** Returns a picture of one pixel. */
export const pixelFile = (): File =>
  new File([new Uint8Array(pixel)], "standin-drift.png", { type: "image/png" });

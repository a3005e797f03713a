/** Requests that are refused because of the records of the account, the path or the size. */
import { unpayableAmount } from "../probes/business.js";
import type { ServiceRequest } from "../service-client.js";
import { pixelFile } from "./file-heads.js";
import {
  connectedChannel,
  heldPayment,
  newChannel,
  newNumber,
  payoutAccount,
  smallPayment,
  unknownId,
  validRequest,
} from "./records.js";
import type { WrongRequest } from "./wrong-request.js";

const unknown: readonly (readonly [operation: string, change: Partial<ServiceRequest>])[] = [
  ["checkPhoneVerification", { body: { id: unknownId("phv_"), code: "100917" } }],
  ["submitAddressLocation", { params: { id: unknownId("ver_") } }],
  ["getAudit", { params: { id: unknownId("aud_") } }],
  ["connectChannel", { params: { channel_id: unknownId("chn_") } }],
  ["sendChannelMessage", { params: { channel_id: unknownId("chn_") } }],
  ["sendChannelCode", { params: { channel_id: unknownId("chn_") } }],
  ["checkChannelCode", { params: { channel_id: unknownId("chn_") } }],
  ["startIdentityCheck", { params: { channel_id: unknownId("chn_") } }],
  ["simulatePayment", { body: { virtual_account_id: unknownId("va_"), amount: 5_000 } }],
  ["createRefund", { body: { payment_id: unknownId("pay_"), reason: "Standin drift" } }],
];

const unknownRecords: readonly WrongRequest[] = unknown.map(([operation, change]) => ({
  operation,
  how: "unknown_id",
  about: "the id of no record",
  request: async (side) => ({ ...(await validRequest(side, operation)), ...change }),
}));

/** Returns a valid request with another amount. */
const withAmount =
  (how: string, amount: number, about: string) =>
  (operation: string): WrongRequest => ({
    operation,
    how,
    about,
    request: async (side) => {
      const valid = await validRequest(side, operation);
      return { ...valid, body: { ...valid.body, amount } };
    },
  });

const withAmounts = ["createCharge", "simulatePayment", "createPayout", "createRefund"];

const unknownPath: WrongRequest = {
  operation: "getBalance",
  how: "unknown_path",
  about: "a path that does not exist",
  request: async () => ({ route: "GET /v1/standin-drift" }),
};

/** Refusals that need records in some state. */
const byState: readonly WrongRequest[] = [
  {
    operation: "getIdentityCheck",
    how: "unknown_id",
    about: "the id of no record",
    request: async (side) => ({
      params: { channel_id: await connectedChannel(side), verification_id: unknownId("chk_") },
    }),
  },
  {
    operation: "connectChannel",
    how: "connected",
    about: "a channel that is connected",
    request: async (side) => ({ params: { channel_id: await connectedChannel(side) } }),
  },
  {
    operation: "sendChannelMessage",
    how: "not_connected",
    about: "a channel that is not connected",
    more: 1,
    request: async (side) => ({
      params: { channel_id: await newChannel(side) },
      body: { to: newNumber(side), text: "Standin drift" },
    }),
  },
  {
    operation: "sendChannelCode",
    how: "not_connected",
    about: "a channel that is not connected",
    more: 1,
    request: async (side) => ({
      params: { channel_id: await newChannel(side) },
      body: { to: newNumber(side) },
    }),
  },
  {
    operation: "setPayoutAccount",
    how: "unknown_account",
    about: "a number that the bank does not have",
    request: async () => ({ body: { bank_code: "033", account_number: "0143728169" } }),
  },
  {
    operation: "createPayout",
    how: "too_much",
    about: "an amount above the balance",
    more: 2,
    request: async (side) => {
      await payoutAccount(side);
      return { body: { amount: await unpayableAmount(side) } };
    },
  },
  {
    operation: "createRefund",
    how: "too_much",
    about: "an amount above that of the payment",
    more: 4,
    request: async (side) => ({
      body: { payment_id: (await smallPayment(side)).id, amount: 5_000.01, reason: "Standin drift" },
    }),
  },
  ...withAmounts.map(withAmount("fraction", 1_000.125, "an amount with three decimals")),
  ...withAmounts.map(withAmount("no_amount", 0, "an amount of 0")),
  {
    operation: "createRefund",
    how: "held",
    about: "a payment that is held",
    more: 5,
    request: async (side) => ({
      body: { payment_id: (await heldPayment(side)).id, reason: "Standin drift" },
    }),
  },
  {
    operation: "startIdentityCheck",
    how: "not_connected",
    about: "a channel that is not connected",
    more: 1,
    request: async (side) => ({
      ...(await validRequest(side, "startIdentityCheck")),
      params: { channel_id: await newChannel(side) },
    }),
  },
  {
    operation: "sendChannelMessage",
    how: "no_text",
    about: "neither text nor file",
    request: async (side) => ({
      params: { channel_id: await connectedChannel(side) },
      body: { to: newNumber(side) },
    }),
  },
  {
    operation: "createStreamingToken",
    how: "other_type",
    about: "a room of another type",
    more: 1,
    request: async (side) => {
      const valid = await validRequest(side, "createStreamingToken");
      await side.service.call("createStreamingToken", valid);
      return { ...valid, params: { session_type: "video" } };
    },
  },
  {
    operation: "submitAddressDocument",
    how: "unknown_id",
    about: "the id of no record",
    request: async () => ({
      params: { id: unknownId("ver_") },
      files: { file: pixelFile() },
    }),
  },
  {
    operation: "scanText",
    how: "short_text",
    about: "a text of one word",
    request: async () => ({ body: { text: "drift" } }),
  },
  unknownPath,
  {
    operation: "getBalance",
    how: "method",
    about: "a method that the path does not have",
    request: async () => ({ route: "DELETE /v1/balance" }),
  },
  {
    operation: "generateLogo",
    how: "large_body",
    about: "a body of more than 1 MB",
    request: async () => ({ rawBody: JSON.stringify({ company_name: "A".repeat(1_100_000) }) }),
  },
];

export const refusedByState: readonly WrongRequest[] = [...unknownRecords, ...byState];

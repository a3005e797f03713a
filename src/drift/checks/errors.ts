/** Checks of refusals: all refusals that a test key can cause without harm, on both sides. */
import type { AnyOperation } from "../../contract/operation.js";
import { refusalsOf } from "../../contract/refusals.js";
import { fieldsIn, type JsonSchema } from "../../contract/schema-walk.js";
import { groupOf, groups, testKeyOperations } from "../groups.js";
import {
  brokenFile,
  connectedChannel,
  fileHeads,
  firstValues,
  heldPayment,
  newChannel,
  newNumber,
  payoutAccount,
  pixelFile,
  smallPayment,
  unknownId,
  unpayableAmount,
  validRequest,
} from "../records.js";
import type { ServiceRequest } from "../service-client.js";
import type { DriftSide } from "../side.js";
import { type CheckRow, refusalFacts } from "./check.js";

/** A request that the service refuses. `about` completes `a request with …`; `more` is the number of calls in addition to the refused one. */
type Row = readonly [
  operation: string,
  how: string,
  about: string,
  request: ServiceRequest | ((side: DriftSide) => Promise<ServiceRequest>),
  more?: number,
  slow?: boolean,
];

const toCheck = ([id, how, about, request, more = 0, slow]: Row): CheckRow => ({
  id: `error.${id}.${how}`,
  about: `a request with ${about}`,
  operations: [id],
  calls: 1 + more,
  slow,
  observe: async (side) =>
    refusalFacts(await side.service.call(id, typeof request === "function" ? await request(side) : request)),
});

/** Returns a text that the field does not accept. */
function invalidFor({ pattern, minimum }: JsonSchema): string {
  if (minimum !== undefined) return `${minimum - 1}`;
  return pattern === "\\S" ? " " : "!";
}

/** Returns the first matching operation of each group, on which the rules for all operations are checked. */
const onePerGroup = (fits: (operation: AnyOperation) => boolean): ReadonlySet<string> =>
  new Set(
    groups.flatMap(
      (group) =>
        testKeyOperations.find((operation) => groupOf(operation) === group && fits(operation))?.id ?? [],
    ),
  );

const hasJson = ({ body, upload }: AnyOperation): boolean => body !== undefined && !upload;
const withJson = onePerGroup(hasJson);
const first = onePerGroup(() => true);

/** Returns a function that makes a valid request of the operation with some parts changed. */
const changed =
  (operation: string, change: Partial<ServiceRequest>) =>
  async (side: DriftSide): Promise<ServiceRequest> => ({
    ...(await validRequest(side, operation)),
    ...change,
  });

/** Returns a function that makes a valid request of the operation with one field changed. */
const withField =
  (operation: string, place: "body" | "query", field: string, value: unknown) =>
  async (side: DriftSide): Promise<ServiceRequest> => {
    const valid = await validRequest(side, operation);
    return { ...valid, [place]: { ...valid[place], [field]: value } };
  };

/** Returns the requests of an operation that are invalid whatever records the account has. */
function wrongRequests(operation: AnyOperation): Row[] {
  const { id, body, upload, query } = operation;
  const wrong: Row[] = [];
  const add = (how: string, about: string, request: Row[3], slow = false) =>
    void wrong.push([id, how, about, request, 0, slow]);
  const required = requiredIn(body);
  if (upload) add("no_file", "no file", changed(id, { files: {} }));
  else if (required.length > 0) add("no_fields", "no field", changed(id, { body: {} }));
  if (requiredIn(query).length > 0) add("no_query", "no query", changed(id, { query: {} }));
  if (hasJson(operation)) {
    const [wronglyTyped] = required;
    if (wronglyTyped !== undefined)
      add("wrong_type", `a list as ${wronglyTyped}`, withField(id, "body", wronglyTyped, []));
    for (const { name, schema: field } of fieldsIn(body))
      if (field.pattern !== undefined && field["x-error"] !== undefined)
        add(`invalid_${name}`, `an invalid ${name}`, withField(id, "body", name, invalidFor(field)));
  }
  for (const { name, schema: field } of fieldsIn(query))
    add(`invalid_${name}`, `an invalid ${name}`, withField(id, "query", name, invalidFor(field)));
  for (const [field, { types = [] }] of Object.entries(upload ?? {}).slice(0, 1)) {
    const texts = body ? firstValues(operation) : {};
    const withFiles = (files: NonNullable<ServiceRequest["files"]>, more: object = {}) =>
      changed(id, { body: { ...texts, ...more }, files });
    const type = types.find((name) => Object.hasOwn(fileHeads, name));
    if (type !== undefined) {
      const file = brokenFile(type);
      const whole = types.includes("image/png") ? pixelFile() : file;
      if (refusalsOf(operation).includes("file_unreadable"))
        add("unreadable", "a broken file", withFiles({ [field]: file }));
      add("unknown_file", "a file in an unknown field", withFiles({ standin_drift: file }));
      add("two_files", "two files in one field", withFiles({ [field]: [whole, whole] }));
    }
    add("text_for_file", "a text in place of the file", withFiles({}, { [field]: "drift" }));
    const text = new File(["standin drift"], "standin-drift.txt", { type: "text/plain" });
    add("wrong_file", "a file of another type", withFiles({ [field]: text }));
  }
  if (hasJson(operation)) {
    const isSlow = !withJson.has(id);
    const headers = { "Content-Type": "text/plain" };
    add("malformed", "a body that is not JSON", changed(id, { rawBody: "{" }), isSlow);
    add("media_type", "a body of another content type", changed(id, { rawBody: "a=1", headers }), isSlow);
  }
  add("no_key", "no API key", changed(id, { key: null }));
  add("invalid_key", "an invalid API key", changed(id, { key: "drift" }), !first.has(id));
  return wrong;
}

const requiredIn = (schema: AnyOperation["body"]): readonly string[] =>
  fieldsIn(schema).flatMap(({ name, isRequired }) => (isRequired ? [name] : []));

const onConnected = async (side: DriftSide) => ({ params: { channel_id: await connectedChannel(side) } });
const onNewChannel = async (side: DriftSide) => ({ params: { channel_id: await newChannel(side) } });

const unknownChannel = { params: { channel_id: unknownId("chn_") } };

/** Changes to a valid request that make it name an unknown id, by operation. */
const unknownIds: Readonly<Record<string, Partial<ServiceRequest>>> = {
  checkPhoneVerification: { body: { id: unknownId("phv_"), code: "100917" } },
  submitAddressLocation: { params: { id: unknownId("ver_") } },
  getAudit: { params: { id: unknownId("aud_") } },
  connectChannel: unknownChannel,
  sendChannelMessage: unknownChannel,
  sendChannelCode: unknownChannel,
  checkChannelCode: unknownChannel,
  startIdentityCheck: unknownChannel,
  simulatePayment: { body: { virtual_account_id: unknownId("va_"), amount: 5_000 } },
  createRefund: { body: { payment_id: unknownId("pay_"), reason: "Standin drift" } },
};

const withAmounts = ["createCharge", "simulatePayment", "createPayout", "createRefund"];

/** Requests that are refused because of the records of the account, the path or the size. */
const rows: readonly Row[] = [
  ...Object.entries(unknownIds).map(
    ([operation, change]): Row => [
      operation,
      "unknown_id",
      "the id of no record",
      changed(operation, change),
    ],
  ),
  [
    "getIdentityCheck",
    "unknown_id",
    "the id of no record",
    async (side) => ({
      params: { channel_id: await connectedChannel(side), verification_id: unknownId("chk_") },
    }),
  ],
  ["connectChannel", "connected", "a channel that is connected", onConnected],
  [
    "sendChannelMessage",
    "not_connected",
    "a channel that is not connected",
    async (side) => ({
      ...(await onNewChannel(side)),
      body: { to: newNumber(side), text: "Standin drift" },
    }),
    1,
  ],
  [
    "sendChannelCode",
    "not_connected",
    "a channel that is not connected",
    async (side) => ({ ...(await onNewChannel(side)), body: { to: newNumber(side) } }),
    1,
  ],
  [
    "setPayoutAccount",
    "unknown_account",
    "a number that the bank does not have",
    { body: { bank_code: "033", account_number: "0143728169" } },
  ],
  [
    "createPayout",
    "too_much",
    "an amount above the balance",
    async (side) => {
      await payoutAccount(side);
      return { body: { amount: await unpayableAmount(side) } };
    },
    2,
  ],
  [
    "createRefund",
    "too_much",
    "an amount above the amount of the payment",
    async (side) => ({
      body: { payment_id: (await smallPayment(side)).id, amount: 5_000.01, reason: "Standin drift" },
    }),
    4,
  ],
  ...withAmounts.map(
    (operation): Row => [
      operation,
      "fraction",
      "an amount with three decimals",
      withField(operation, "body", "amount", 1_000.125),
    ],
  ),
  ...withAmounts.map(
    (operation): Row => [operation, "no_amount", "an amount of 0", withField(operation, "body", "amount", 0)],
  ),
  [
    "createRefund",
    "held",
    "a payment that is held",
    async (side) => ({ body: { payment_id: (await heldPayment(side)).id, reason: "Standin drift" } }),
    5,
  ],
  [
    "startIdentityCheck",
    "not_connected",
    "a channel that is not connected",
    async (side) => ({
      ...(await validRequest(side, "startIdentityCheck")),
      ...(await onNewChannel(side)),
    }),
    1,
  ],
  [
    "sendChannelMessage",
    "no_text",
    "neither text nor file",
    async (side) => ({ ...(await onConnected(side)), body: { to: newNumber(side) } }),
  ],
  [
    "createStreamingToken",
    "other_type",
    "a room of another type",
    async (side) => {
      const valid = await validRequest(side, "createStreamingToken");
      await side.service.call("createStreamingToken", valid);
      return { ...valid, params: { session_type: "video" } };
    },
    1,
  ],
  [
    "submitAddressDocument",
    "unknown_id",
    "the id of no record",
    async () => ({ params: { id: unknownId("ver_") }, files: { file: pixelFile() } }),
  ],
  ["scanText", "short_text", "a text of one word", { body: { text: "drift" } }],
  ["getBalance", "unknown_path", "a path that does not exist", { route: "GET /v1/standin-drift" }],
  ["getBalance", "method", "a method that the path does not have", { route: "DELETE /v1/balance" }],
  [
    "generateLogo",
    "large_body",
    "a body of more than 1 MB",
    async () => ({ rawBody: JSON.stringify({ company_name: "A".repeat(1_100_000) }) }),
  ],
];

export const errorChecks: readonly CheckRow[] = [...testKeyOperations.flatMap(wrongRequests), ...rows].map(
  toCheck,
);

/** Checks of refusals: every one that a test key can cause without harm, played on both sides. */
import type { AnyOperation } from "../../contract/operation.js";
import { refusalsOf } from "../../contract/refusals.js";
import { fieldsIn, type JsonSchema } from "../../contract/schema-walk.js";
import { groupOf, groups, testKeyOperations } from "../groups.js";
import { unpayableAmount } from "../probes/business.js";
import type { ServiceRequest } from "../service-client.js";
import { type CheckedSide, type CheckRow, refusalFacts } from "./check.js";
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
  validRequest,
} from "./records.js";

/** A request that the service refuses. `about` completes `a request with …`; `more` is the number of calls beside the refused one. */
type Row = readonly [
  operation: string,
  how: string,
  about: string,
  request: ServiceRequest | ((side: CheckedSide) => Promise<ServiceRequest>),
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

/** Returns a text that the field does not take. */
function invalidFor({ pattern, minimum }: JsonSchema): string {
  if (minimum !== undefined) return `${minimum - 1}`;
  return pattern === "\\S" ? " " : "!";
}

/** Returns the first operation of each group that fits: what holds for all operations is asked there. */
const onePerGroup = (fits: (operation: AnyOperation) => boolean): ReadonlySet<string> =>
  new Set(
    groups.flatMap((group) => testKeyOperations.find((one) => groupOf(one) === group && fits(one))?.id ?? []),
  );

const hasJson = ({ body, upload }: AnyOperation): boolean => body !== undefined && !upload;
const withJson = onePerGroup(hasJson);
const first = onePerGroup(() => true);

/** Returns the requests of an operation that are wrong in themselves, whatever the account has. */
function wrongRequests(operation: AnyOperation): Row[] {
  const { id, body, upload, query } = operation;
  const wrong: Row[] = [];
  const add = (how: string, about: string, change: (valid: ServiceRequest) => ServiceRequest, slow = false) =>
    void wrong.push([id, how, about, async (side) => change(await validRequest(side, id)), 0, slow]);
  if (upload) add("no_file", "no file", (valid) => ({ ...valid, files: {} }));
  else if (requiredIn(body).length > 0) add("no_fields", "no field", (valid) => ({ ...valid, body: {} }));
  if (requiredIn(query).length > 0) add("no_query", "no query", (valid) => ({ ...valid, query: {} }));
  const [wronglyTyped] = hasJson(operation) ? requiredIn(body) : [];
  if (wronglyTyped !== undefined)
    add("wrong_type", `a list as ${wronglyTyped}`, (valid) => ({
      ...valid,
      body: { ...valid.body, [wronglyTyped]: [] },
    }));
  for (const { name, schema: field } of hasJson(operation) ? fieldsIn(body) : [])
    if (field.pattern !== undefined && field["x-error"] !== undefined)
      add(`invalid_${name}`, `an invalid ${name}`, (valid) => ({
        ...valid,
        body: { ...valid.body, [name]: invalidFor(field) },
      }));
  for (const { name, schema: field } of fieldsIn(query))
    add(`invalid_${name}`, `an invalid ${name}`, (valid) => ({
      ...valid,
      query: { ...valid.query, [name]: invalidFor(field) },
    }));
  for (const [field, { types = [] }] of Object.entries(upload ?? {}).slice(0, 1)) {
    const texts = operation.body ? firstValues(operation) : {};
    const type = types.find((one) => Object.hasOwn(fileHeads, one));
    const file = type === undefined ? null : brokenFile(type);
    const whole = types.includes("image/png") ? pixelFile() : file;
    if (file && refusalsOf(operation).includes("file_unreadable"))
      add("unreadable", "a broken file", (valid) => ({ ...valid, body: texts, files: { [field]: file } }));
    if (file)
      add("unknown_file", "a file in an unknown field", (valid) => ({
        ...valid,
        body: texts,
        files: { standin_drift: file },
      }));
    if (file)
      add("two_files", "two files in one field", (valid) => ({
        ...valid,
        body: texts,
        files: { [field]: [whole ?? file, whole ?? file] },
      }));
    add("text_for_file", "a text in place of the file", (valid) => ({
      ...valid,
      body: { ...texts, [field]: "drift" },
      files: {},
    }));
    add("wrong_file", "a file of another type", (valid) => ({
      ...valid,
      body: texts,
      files: { [field]: new File(["standin drift"], "standin-drift.txt", { type: "text/plain" }) },
    }));
  }
  if (hasJson(operation)) {
    const isSlow = !withJson.has(id);
    add(
      "malformed",
      "a body that is not JSON",
      ({ body: _, ...valid }) => ({ ...valid, rawBody: "{" }),
      isSlow,
    );
    add(
      "media_type",
      "a body of another content type",
      ({ body: _, ...valid }) => ({ ...valid, rawBody: "a=1", headers: { "Content-Type": "text/plain" } }),
      isSlow,
    );
  }
  add("no_key", "no API key", (valid) => ({ ...valid, key: null }));
  add("invalid_key", "an invalid API key", (valid) => ({ ...valid, key: "drift" }), !first.has(id));
  return wrong;
}

const requiredIn = (schema: AnyOperation["body"]): readonly string[] =>
  fieldsIn(schema).flatMap(({ name, isRequired }) => (isRequired ? [name] : []));

/** Changes a valid request of the operation. */
const changed =
  (operation: string, change: Partial<ServiceRequest>) =>
  async (side: CheckedSide): Promise<ServiceRequest> => ({
    ...(await validRequest(side, operation)),
    ...change,
  });

const withAmount = (operation: string, amount: number) => async (side: CheckedSide) => {
  const valid = await validRequest(side, operation);
  return { ...valid, body: { ...valid.body, amount } };
};

const onConnected = async (side: CheckedSide) => ({ params: { channel_id: await connectedChannel(side) } });
const onNewChannel = async (side: CheckedSide) => ({ params: { channel_id: await newChannel(side) } });

const unknownChannel = { params: { channel_id: unknownId("chn_") } };

/** Requests with the id of no record, by operation: what differs from a valid request. */
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
    "an amount above that of the payment",
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
      withAmount(operation, 1_000.125),
    ],
  ),
  ...withAmounts.map(
    (operation): Row => [operation, "no_amount", "an amount of 0", withAmount(operation, 0)],
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

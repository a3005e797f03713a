/** Checks of refusals: every one that a test key can cause without harm, played on both sides. */
import { isObject } from "../../contract/json.js";
import type { AnyOperation } from "../../contract/operation.js";
import { serviceOperations } from "../../service/index.js";
import { isAllowed } from "../allowed-operations.js";
import { nameOf } from "../compare/deviations.js";
import { groupOf, groups } from "../groups.js";
import { errorCodeOf, type ReceivedReply, type ServiceRequest } from "../service-client.js";
import type { Check, CheckedSide, Facts } from "./check.js";
import {
  connectedChannel,
  newChannel,
  newNumber,
  payoutAccount,
  smallPayment,
  unknownId,
  validRequest,
} from "./records.js";

/** The facts of an error that hold for every refusal, and their names in findings. */
export const commonFacts = { media_type: "content type", fields: "envelope", type: "type", param: "param" };

/** Returns what a refusal shows. An accepted request shows its status alone. */
export function refusalFacts(reply: ReceivedReply): Facts {
  const { status, mediaType, body, headers } = reply;
  if (status < 400) return { media_type: null, fields: null, answer: `${status}` };
  const { error = body } = (isObject(body) ? body : {}) as { error?: unknown };
  const own = isObject(error) ? error : {};
  const text = (value: unknown) => (typeof value === "string" ? nameOf(value) : "none");
  return {
    media_type: mediaType || "none",
    fields: fieldsOf(body),
    answer: `${status} ${errorCodeOf(body) ?? "without a code"}`,
    type: text(own.type),
    param: typeof own.param === "string" ? own.param.slice(0, 60) : "none",
    retry_after: status === 429 ? headers.has("retry-after") : null,
  };
}

function fieldsOf(body: unknown): string {
  if (!isObject(body)) return "no object";
  const fields = Object.entries(body).map(([name, value]) =>
    isObject(value) ? `${nameOf(name)} {${Object.keys(value).map(nameOf).sort().join(", ")}}` : nameOf(name),
  );
  return fields.sort().join(", ");
}

/** How a request is made wrong, and the request. */
interface Wrong {
  readonly operation: string;
  readonly how: string;
  readonly about: string;
  /** Calls beside the refused one. */
  readonly more?: number;
  readonly charges?: Check["charges"];
  readonly slow?: boolean;
  request(side: CheckedSide): Promise<ServiceRequest>;
}

const toCheck = ({ operation: id, how, about, more = 0, charges, slow, request }: Wrong): Check => ({
  id: `error.${id}.${how}`,
  kind: "error",
  group: groupOf(named(id)),
  about: `the refusal of ${id} with ${about}`,
  operations: [id],
  calls: 1 + more,
  ...(charges ? { charges } : {}),
  ...(slow ? { slow: true as const } : {}),
  observe: async (side) => refusalFacts(await side.service.call(id, await request(side))),
});

const operations = serviceOperations.filter(({ id, auth }) => auth === "key" && isAllowed(id, false));

function named(id: string): AnyOperation {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`drift may not call an operation ${id}`);
  return found;
}

interface Field {
  readonly pattern?: string;
  readonly "x-error"?: string;
}
/** Returns a text that the pattern of the field does not match. */
const invalidFor = ({ pattern }: Field): string => (pattern === "\\S" ? " " : "!");

const fieldsIn = (schema: AnyOperation["body"]) =>
  Object.entries((schema?.properties ?? {}) as Record<string, Field>);

/** Returns the first operation of each group that fits: what holds for all operations is asked there. */
const onePerGroup = (fits: (operation: AnyOperation) => boolean): ReadonlySet<string> =>
  new Set(groups.flatMap((group) => operations.find((one) => groupOf(one) === group && fits(one))?.id ?? []));

const hasJson = ({ body, upload }: AnyOperation): boolean => body !== undefined && !upload;
const withJson = onePerGroup(hasJson);
const first = onePerGroup(() => true);

const garbage: Readonly<Record<string, string>> = {
  "application/pdf": "%PDF-1.7\nstandin drift",
  "audio/mpeg": "RIFF\0\0\0\0WAVEstandin drift",
  "image/png": "\x89PNG\r\n\x1a\nstandin drift",
};

/** Returns the requests of an operation that are wrong in themselves, whatever the account has. */
function wrongRequests(operation: AnyOperation): Wrong[] {
  const { id, body, upload, query } = operation;
  const wrong: Wrong[] = [];
  const add = (how: string, about: string, change: (valid: ServiceRequest) => ServiceRequest, slow = false) =>
    void wrong.push({
      operation: id,
      how,
      about,
      slow,
      request: async (side) => change(await validRequest(side, id)),
    });
  if (upload) add("no_file", "no file", (valid) => ({ ...valid, files: {} }));
  else if (requiredIn(body).length > 0) add("no_fields", "no field", (valid) => ({ ...valid, body: {} }));
  if (requiredIn(query).length > 0) add("no_query", "no query", (valid) => ({ ...valid, query: {} }));
  const [wronglyTyped] = hasJson(operation) ? requiredIn(body) : [];
  if (wronglyTyped !== undefined)
    add("wrong_type", `a list as ${wronglyTyped}`, (valid) => ({
      ...valid,
      body: { ...valid.body, [wronglyTyped]: [] },
    }));
  for (const [name, field] of hasJson(operation) ? fieldsIn(body) : [])
    if (field.pattern !== undefined && field["x-error"] !== undefined)
      add(`invalid_${name}`, `an invalid ${name}`, (valid) => ({
        ...valid,
        body: { ...valid.body, [name]: invalidFor(field) },
      }));
  for (const [name] of fieldsIn(query))
    add(`invalid_${name}`, `an invalid ${name}`, (valid) => ({
      ...valid,
      ...(upload ? { files: {} } : {}),
      query: { ...valid.query, [name]: "!" },
    }));
  const [taken] = Object.values(upload ?? {}).flatMap(({ types }) =>
    (types ?? []).filter((type) => type in garbage),
  );
  if (taken !== undefined && operation.refuses.includes("file_unreadable"))
    add("unreadable", "a broken file", (valid) => ({
      ...valid,
      ...(operation.body ? { body: firstValues(operation) } : {}),
      files: { file: new File([garbage[taken] ?? ""], "standin-drift", { type: taken }) },
    }));
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
  add("no_key", "no API key", (valid) => ({ ...valid, key: null }), !first.has(id));
  add("invalid_key", "an invalid API key", (valid) => ({ ...valid, key: "drift" }), !first.has(id));
  return wrong;
}

const requiredIn = (schema: AnyOperation["body"]): readonly string[] =>
  schema && "required" in schema ? (schema.required as readonly string[]) : [];

const firstValues = (operation: AnyOperation): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries((operation.body?.properties ?? {}) as Record<string, { enum?: readonly string[] }>).map(
      ([name, { enum: values = [] }]) => [name, values[0]],
    ),
  );

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

const unknownRecords: readonly Wrong[] = unknown.map(([operation, change]) => ({
  operation,
  how: "unknown_id",
  about: "the id of no record",
  request: async (side) => ({ ...(await validRequest(side, operation)), ...change }),
}));

const amount = (operation: string): Wrong => ({
  operation,
  how: "fraction",
  about: "an amount with three decimals",
  request: async (side) => {
    const valid = await validRequest(side, operation);
    return { ...valid, body: { ...valid.body, amount: 1_000.125 } };
  },
});

const unknownPath: Wrong = {
  operation: "getBalance",
  how: "unknown_path",
  about: "a path that does not exist",
  request: async () => ({ route: "GET /v1/standin-drift" }),
};

/** Refusals that need records in some state. */
const byState: readonly Wrong[] = [
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
    more: 1,
    request: async (side) => {
      await payoutAccount(side);
      return { body: { amount: 4_999_999 } };
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
  ...["createCharge", "simulatePayment", "createPayout", "createRefund"].map(amount),
  {
    operation: "createCharge",
    how: "too_little",
    about: "an amount of NGN 99",
    request: async (side) => {
      const valid = await validRequest(side, "createCharge");
      return { ...valid, body: { ...valid.body, amount: 99 } };
    },
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

export const errorChecks: readonly Check[] = [
  ...operations.flatMap(wrongRequests),
  ...unknownRecords,
  ...byState,
].map(toCheck);

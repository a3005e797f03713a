/** Checks of the limits of schemas, behaviour and uploads at their edges. */
import { errorCodeOf } from "../../contract/error-body.js";
import type { AnyOperation } from "../../contract/operation.js";
import { fieldsIn, type JsonSchema } from "../../contract/schema-walk.js";
import { serviceOperations } from "../../service/index.js";
import { priceOf } from "../../service/prices.js";
import { testKeyOperations } from "../groups.js";
import { fileHeads, firstValues, validRequest } from "../records.js";
import { isSuccess, type ReceivedReply } from "../service-client.js";
import type { DriftSide } from "../side.js";
import { behaviourLimitChecks } from "./behaviour-limits.js";
import { answerOf, type CheckRow, type Facts } from "./check.js";

interface SchemaLimit {
  readonly operation: AnyOperation;
  readonly place: "body" | "query";
  readonly field: string;
  /** Keyword of the schema that states the limit. */
  readonly end: "minimum" | "exclusiveMinimum" | "maximum" | "minLength" | "maxLength";
  readonly limit: number;
  /** The last value within the limit. */
  readonly inside: unknown;
  /** The value before the last one within the limit. */
  readonly further: unknown;
  /** The first value beyond the limit. */
  readonly outside: unknown;
  /** Whether every valid request has a value at the limit, because no other is valid. */
  readonly isOnly: boolean;
}

/** Smallest step of an amount in naira, and of other numbers that need not be whole. */
const koboStep = 0.01;
const fractionStep = 0.001;

function stepOf({ type, "x-error": code }: JsonSchema): number {
  if (type === "integer") return 1;
  return code === "amount_out_of_range" ? koboStep : fractionStep;
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

const digitsPattern = /^\^\[0-9\]\{(\d+)\}\$$/;
const urlStart = "https://standin-drift.invalid/";

function textOf(length: number, { format, pattern = "" }: JsonSchema): string {
  if (digitsPattern.test(pattern)) return "22301948576314".slice(0, length);
  const start = format === "uri" || pattern.includes("http") ? urlStart : "";
  return start + "a".repeat(Math.max(0, length - start.length));
}

type Values = Omit<SchemaLimit, "operation" | "place" | "field">;

function limitsOf(schema: JsonSchema): Values[] {
  const { minimum, exclusiveMinimum, maximum, minLength, maxLength, pattern = "" } = schema;
  const step = stepOf(schema);
  const digits = digitsPattern.exec(pattern)?.[1] ?? null;
  const found: Values[] = [];
  const add = (end: Values["end"], limit: number, direction: number, at: (by: number) => unknown) =>
    void found.push({
      end,
      limit,
      inside: at(0),
      further: at(-direction),
      outside: at(direction),
      isOnly: digits !== null,
    });
  const atNumber = (limit: number) => (by: number) => rounded(limit + by * step);
  const ofLength = (limit: number) => (by: number) => textOf(limit + by, schema);
  if (minimum !== undefined) add("minimum", minimum, -1, atNumber(minimum));
  if (exclusiveMinimum !== undefined)
    add("exclusiveMinimum", exclusiveMinimum, -1, (by) => rounded(exclusiveMinimum + (by + 1) * step));
  if (maximum !== undefined) add("maximum", maximum, 1, atNumber(maximum));
  if (digits !== null) {
    // Both neighbours of a fixed length are beyond it.
    add("minLength", Number(digits), -1, ofLength(Number(digits)));
    add("maxLength", Number(digits), 1, ofLength(Number(digits)));
  }
  if (minLength !== undefined) add("minLength", minLength, -1, ofLength(minLength));
  if (maxLength !== undefined) add("maxLength", maxLength, 1, ofLength(maxLength));
  return found;
}

/** Returns the limits of all operations that a test key may call. */
const schemaLimits = (): SchemaLimit[] =>
  testKeyOperations.flatMap((operation) =>
    (["body", "query"] as const).flatMap((place) =>
      fieldsIn(operation[place]).flatMap(({ name: field, schema }) =>
        limitsOf(schema).map((values) => ({ operation, place, field, ...values })),
      ),
    ),
  );

/** Highest price, in naira, of a call that only shows that a value at the limit is accepted. */
const maxPriceInside = 150;

/** Operations that are never called with a value at a limit: the call would move much money or register an address. */
const neverInside: readonly string[] = ["simulatePayment maximum", "registerWebhook", "createAudit"];

/** Operations with expensive calls, whose limits are checked only with --slow. */
const expensive: readonly string[] = ["scanVideo"];

function priceInside({ price }: AnyOperation): number {
  return typeof price === "string" ? priceOf(price).price : 0;
}

const describeEnd: Readonly<Record<SchemaLimit["end"], (field: string) => string>> = {
  minimum: (field) => `the smallest ${field}`,
  exclusiveMinimum: (field) => `the value that ${field} must exceed`,
  maximum: (field) => `the largest ${field}`,
  minLength: (field) => `the length of the shortest ${field}`,
  maxLength: (field) => `the length of the longest ${field}`,
};

function toCheck(schemaLimit: SchemaLimit): CheckRow {
  const { operation, field, end, limit } = schemaLimit;
  const { id, price } = operation;
  const isExpensive = expensive.includes(id);
  const sendsInside =
    !schemaLimit.isOnly &&
    !neverInside.includes(id) &&
    !neverInside.includes(`${id} ${end}`) &&
    (isExpensive || priceInside(operation) <= maxPriceInside);
  const charges = typeof price === "string" && sendsInside ? { [price]: 1 } : undefined;
  return {
    id: `limit.${id}.${field}.${end}`,
    about: `${describeEnd[end](field)}, ${limit}`,
    operations: [id],
    calls: sendsInside ? 3 : 1,
    charges,
    slow: isExpensive,
    observe: (side) => observeLimit(side, schemaLimit, sendsInside),
  };
}

/**
 * Sends the first value beyond the limit, the last one within it and, if that is refused, the one before. A value counts
 * as accepted unless the service refuses it in the same way as the value beyond the limit.
 */
async function observeLimit(side: DriftSide, limit: SchemaLimit, sendsInside: boolean): Promise<Facts> {
  const { operation, place, field } = limit;
  const send = async (value: unknown): Promise<ReceivedReply> => {
    const valid = await validRequest(side, operation.id);
    return side.service.call(operation.id, { ...valid, [place]: { ...valid[place], [field]: value } });
  };
  const outside = await send(limit.outside);
  const beyond_it = isSuccess(outside) ? "taken" : "refused";
  if (!sendsInside || beyond_it === "taken") return { beyond_it };
  const isRefusedToo = ({ status, body }: ReceivedReply) =>
    status === outside.status && errorCodeOf(body) === errorCodeOf(outside.body);
  if (!isRefusedToo(await send(limit.inside))) return { at_it: "taken", beyond_it };
  const before_it = isRefusedToo(await send(limit.further)) ? "refused" : "taken";
  return { at_it: "refused", beyond_it, before_it };
}

export const limitChecks = (): CheckRow[] => [
  ...schemaLimits().map(toCheck),
  ...behaviourLimitChecks,
  ...uploadLimits(),
];

const kilobyte = new Uint8Array(1_024);
const megabyte = new Uint8Array(1_024 * 1_024);

/** Sends a file of 1 KB more than each operation takes. */
const uploadLimits = (): CheckRow[] =>
  serviceOperations.flatMap((operation) => {
    const { id, upload = {}, body } = operation;
    const [[field, accepted] = []] = Object.entries(upload);
    const type = accepted?.types?.find((candidate) => fileHeads[candidate]);
    if (!field || !accepted || !type) return [];
    return {
      id: `limit.${id}.${field}.size`,
      about: `a file of more than ${accepted.maxMB} MB`,
      operations: [id],
      calls: 1,
      slow: true,
      async observe(side) {
        const head = Buffer.from(fileHeads[type] ?? "", "latin1");
        const bytes = [head, ...Array.from({ length: accepted.maxMB }, () => megabyte), kilobyte];
        const { params = {} } = await validRequest(side, id);
        const texts = body ? { body: firstValues(operation) } : {};
        const files = { [field]: new File(bytes, "standin-drift", { type }) };
        const reply = await side.service.call(id, { params, ...texts, files });
        return { answer: answerOf(reply) };
      },
    } satisfies CheckRow;
  });

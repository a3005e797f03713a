/** Checks of limits at their edges: those of the schemas, of the behaviour and of uploads. */
import type { AnyOperation } from "../../contract/operation.js";
import { priceOf } from "../../service/prices.js";
import { groupOf } from "../groups.js";
import { errorCodeOf, isSuccess, type ReceivedReply } from "../service-client.js";
import { behaviourLimitChecks } from "./behaviour-limits.js";
import type { CheckedSide, DriftCheck, Facts } from "./check.js";
import { validRequest } from "./records.js";
import { type SchemaLimit, schemaLimits } from "./schema-limits.js";
import { uploadLimits } from "./upload-limits.js";

/** Highest price of a call that is made only to see that a value at its limit is taken, in naira. */
const maxPriceInside = 150;

/** Operations of which no request at a limit is sent: it would move much money or register an address. */
const neverInside: readonly string[] = ["simulatePayment maximum", "registerWebhook", "createAudit"];

/** Operations whose calls are expensive, so that their limits are asked with --slow alone. */
const expensive: readonly string[] = ["scanVideo"];

function priceInside({ price }: AnyOperation): number {
  return typeof price === "string" ? priceOf(price).price : 0;
}

const describeEnd: Readonly<Record<SchemaLimit["end"], (field: string) => string>> = {
  minimum: (field) => `the smallest ${field}`,
  exclusiveMinimum: (field) => `the value above which ${field} is`,
  maximum: (field) => `the largest ${field}`,
  minLength: (field) => `the length of the shortest ${field}`,
  maxLength: (field) => `the length of the longest ${field}`,
};

function toCheck(one: SchemaLimit): DriftCheck {
  const { operation, field, end, limit } = one;
  const { id, price } = operation;
  const isExpensive = expensive.includes(id);
  const sendsInside =
    !one.isOnly &&
    !neverInside.includes(id) &&
    !neverInside.includes(`${id} ${end}`) &&
    (isExpensive || priceInside(operation) <= maxPriceInside);
  const charges = typeof price === "string" && sendsInside ? { [price]: 1 } : undefined;
  return {
    id: `limit.${id}.${field}.${end}`,
    kind: "limit",
    group: groupOf(operation),
    about: `${describeEnd[end](field)}, ${limit}`,
    operations: [id],
    calls: sendsInside ? 3 : 1,
    charges,
    slow: isExpensive,
    observe: (side) => observeLimit(side, one, sendsInside),
  };
}

/**
 * Sends the first value beyond the limit, the last one within it and, if that is refused, the one before. A value counts
 * as taken if the service does not refuse it as it refuses the one beyond.
 */
async function observeLimit(side: CheckedSide, limit: SchemaLimit, sendsInside: boolean): Promise<Facts> {
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

export const limitChecks = (): DriftCheck[] => [
  ...schemaLimits().map(toCheck),
  ...behaviourLimitChecks,
  ...uploadLimits(),
];

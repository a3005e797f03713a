/** Writes one operation as an entry of `paths`. */
import { commonOutcomes } from "../../contract/decision.js";
import { type AnyOperation, isServiceOperation } from "../../contract/operation.js";
import { assumptionsOf } from "../../service/applicable-assumptions.js";
import { assumptions } from "../../service/assumptions.js";
import type { Price } from "../../service/prices.js";
import type { Link } from "./links.js";
import { parametersOf, requestBodyOf } from "./requests.js";
import { responsesOf } from "./responses.js";
import { type OpenApiNode, present, type Schemas } from "./schemas.js";
import { securityOf } from "./security.js";

function priceOf({ price: key }: AnyOperation, prices: readonly Price[]): OpenApiNode | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== "string") return { note: "depends on the request" };
  const entry = prices.find((price) => price.key === key);
  if (!entry) return { key };
  const { price, unit, source } = entry;
  return { key, price, currency: "NGN", unit, source };
}

function outcomesOf(operation: AnyOperation): OpenApiNode | undefined {
  const common = isServiceOperation(operation) ? commonOutcomes : {};
  const all = { ...operation.outcomes, ...common };
  return Object.keys(all).length > 0 ? all : undefined;
}

function applicableIds(operation: AnyOperation): string[] {
  const applicable = assumptionsOf(operation);
  return assumptions.map(({ id }) => id).filter((id) => applicable.has(id));
}

export function operationNode(
  operation: AnyOperation,
  tag: string,
  schemas: Schemas,
  prices: readonly Price[],
  links: readonly Link[],
): OpenApiNode {
  return present({
    operationId: operation.id,
    summary: operation.summary,
    description: operation.description,
    tags: [tag],
    security: securityOf(operation.auth),
    "x-plan": operation.plan,
    "x-test-mode-only": operation.testModeOnly,
    "x-price": priceOf(operation, prices),
    parameters: parametersOf(operation, schemas),
    requestBody: requestBodyOf(operation, schemas),
    responses: responsesOf(operation, schemas, links),
    "x-outcomes": outcomesOf(operation),
    "x-emits": operation.emits,
    "x-assumptions": isServiceOperation(operation) ? applicableIds(operation) : undefined,
  });
}

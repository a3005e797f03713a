/** What the service answers, as a consumer test states it: a success by its schema, a refusal by its code. */
import { resolveAssumptions } from "../../contract/assumptions.js";
import { statusOf } from "../../contract/error-body.js";
import { type ErrorCode, errors } from "../../contract/errors.js";
import { toJsonSchema } from "../../contract/json-schema.js";
import { type AnyOperation, successStatus } from "../../contract/operation.js";
import { matchBody } from "../matching/match-body.js";
import { sample } from "../matching/schema-shape.js";
import type { Need } from "../provider-states/state-selectors.js";
import type { MatcherObject } from "./body-template.js";
import { toTemplate } from "./body-template.js";
import { checkValue } from "./check-value.js";
import type { InteractionOptions } from "./interaction-options.js";

export interface Expected {
  status: number;
  /** An example of what the client uses; of a refusal, null. */
  example: unknown;
  /** With matchers in it. What the states decide, and the test has said, is compared as it is. */
  body(needs: readonly Need[]): unknown;
}

export function successOf(
  operation: AnyOperation,
  { status = successStatus(operation), reply }: InteractionOptions,
): Expected {
  const schema = operation.reply[status];
  if (!schema) {
    const known = Object.keys(operation.reply).join(" or ");
    throw new RangeError(`${operation.id} answers ${known} when it succeeds; refused names an error code`);
  }
  const shape = toJsonSchema(schema as never);
  if (reply !== undefined) checkValue(`the reply of ${operation.id}`, shape, reply);
  const example = reply ?? sample(shape, { nullables: false });
  return {
    status,
    example,
    body(needs) {
      const decided = reply !== undefined ? needs.flatMap(({ decides = [] }) => decides) : [];
      const filled = reply !== undefined || needs.some(({ fills }) => fills);
      const exact = decided.map((name) => `$.${name}`);
      return toTemplate(matchBody(shape, example, { strict: true, filled, exact }));
    },
  };
}

/** A client relies on the code; the sentence is for people. */
export function refusalOf(code: ErrorCode): Expected {
  const { type, message } = errors[code];
  const sentence: MatcherObject = { "pact:matcher:type": "type", value: message };
  return {
    status: statusOf(code, resolveAssumptions()),
    example: null,
    body: () => ({ error: { type, code, message: sentence } }),
  };
}

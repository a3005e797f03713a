/** The response that a consumer test expects: a success by its schema, a refusal by its error code. */
import { statusOf } from "../../contract/error-body.js";
import { type ErrorCode, errors } from "../../contract/errors.js";
import { toJsonSchema } from "../../contract/json-schema.js";
import { type AnyOperation, successStatus } from "../../contract/operation.js";
import { resolveAssumptions } from "../../service/assumptions.js";
import { matchBody } from "../matching/match-body.js";
import { sample } from "../matching/sample.js";
import type { RequiredState } from "../provider-states/required-states.js";
import { pathsDecided } from "../provider-states/required-states.js";
import { type MatcherObject, toTemplate } from "./body-template.js";
import { checkValue } from "./check-value.js";
import type { InteractionOptions } from "./interaction-options.js";

export interface ExpectedResponse {
  status: number;
  /** Example of the body; null for a refusal. */
  example: unknown;
  /** Returns the body with matchers. Fields that the test names and the states decide are compared exactly. */
  body(states: readonly RequiredState[]): unknown;
}

/** Throws a RangeError if the operation does not have the status, or the reply does not match its schema. */
export function expectedSuccess(
  operation: AnyOperation,
  { status = successStatus(operation), reply }: InteractionOptions,
): ExpectedResponse {
  const replySchema = operation.reply[status];
  if (!replySchema) {
    const known = Object.keys(operation.reply).join(" or ");
    throw new RangeError(
      `${operation.id} succeeds with ${known}; for a refusal, give its error code as refused`,
    );
  }
  const schema = toJsonSchema(replySchema as never);
  if (reply !== undefined) checkValue(`the reply of ${operation.id}`, schema, reply);
  const example = reply ?? sample(schema, { nullables: false });
  return {
    status,
    example,
    body(states) {
      const exact = reply === undefined ? [] : pathsDecided(states);
      const filled = reply !== undefined || states.some(({ fills }) => fills);
      return toTemplate(matchBody(schema, example, { strict: true, filled, exact }));
    },
  };
}

/** Compares type and code exactly; the message only has to be text. */
export function expectedRefusal(code: ErrorCode): ExpectedResponse {
  const { type, message } = errors[code];
  const anyMessage: MatcherObject = { "pact:matcher:type": "type", value: message };
  return {
    status: statusOf(code, resolveAssumptions()),
    example: null,
    body: () => ({ error: { type, code, message: anyMessage } }),
  };
}

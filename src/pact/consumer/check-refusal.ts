/** Checks that a consumer test that expects a refusal also causes it. */
import type { Assumption } from "../../contract/assumptions/assumption.js";
import { type ErrorCode, errors } from "../../contract/errors.js";
import { toJsonSchema } from "../../contract/json-schema.js";
import type { AnyOperation } from "../../contract/operation.js";
import { errorCodesOf, switchFor } from "../../contract/refusals.js";
import type { Fields } from "../../scenarios/given-sections.js";
import { assumptions, resolveAssumptions } from "../../service/assumptions.js";
import type { JsonOperationId } from "../../service/index.js";
import { findProblem } from "./check-value.js";
import { describeUnknown } from "./find-by-name.js";
import type { InteractionOptions } from "./interaction-options.js";

/** Refusals of a key, a token or raw bytes, which `interaction()` does not send. */
const codesOutOfReach: readonly ErrorCode[] = [
  "missing_api_key",
  "invalid_api_key",
  "invalid_session_token",
  "expired_session_token",
  "malformed_json",
  "body_too_large",
  "unsupported_media_type",
  "storage_unavailable",
];

/** Optional fields without which a refusal cannot occur, by operation and error code. */
const requiredFields: Readonly<Record<string, readonly string[]>> = {
  "createVirtualAccount duplicate_reference": ["reference"],
  "sendChannelMessage plan_required": ["image", "document"],
} satisfies Partial<Record<`${JsonOperationId} ${ErrorCode}`, readonly string[]>>;

const refusedOnLiveKeys = [
  "simulatePayment test_mode_only",
  "verifyBvn phone_number_required",
  "verifyBvn invalid_phone",
  "createVirtualAccount missing_field",
] satisfies `${JsonOperationId} ${ErrorCode}`[];

export const isRefusedOnLiveKeys = ({ id }: AnyOperation, code: ErrorCode): boolean =>
  refusedOnLiveKeys.some((refusal) => refusal === `${id} ${code}`);

/** Returns whether the code refuses requests because of their values. */
export const isRequestError = (code: ErrorCode | undefined): boolean =>
  code !== undefined && "validation" in errors[code];

/** Throws a RangeError if the operation does not refuse with the code, or not in an interaction of this helper. */
export function checkRefusal(operation: AnyOperation, code: ErrorCode): void {
  const { id } = operation;
  const codes = errorCodesOf(operation, { serviceOnly: true });
  if (!codes.includes(code)) throw new RangeError(describeUnknown(`${id} does not refuse with`, code, codes));
  const needed = switchFor(code, operation);
  const inForce: Readonly<Record<string, string>> = resolveAssumptions();
  if (needed && inForce[needed.assumption] !== needed.value) {
    const { assumption, value } = needed;
    const usual = assumptions.find((row) => row.id === assumption) as Assumption;
    throw new RangeError(
      `${id} refuses with ${code} only while the assumption ${assumption} is ${JSON.stringify(value)}; by default: ` +
        `${usual.default.replaceAll("`", "").replaceAll("\n", " ")} ` +
        `Write it with Pact's own builder, and verify it with --assume ${assumption}=${value}`,
    );
  }
  if (codesOutOfReach.includes(code))
    throw new RangeError(
      `${id} refuses with ${code} only requests that interaction() cannot make: write it with Pact's own builder`,
    );
}

/** Throws a RangeError if the request is one that the service accepts. */
export function checkRefusedRequest(
  operation: AnyOperation,
  code: ErrorCode,
  options: InteractionOptions,
  body: Fields | null,
): void {
  const { id } = operation;
  const fields = requiredFields[`${id} ${code}`] ?? [];
  if (fields.length > 0 && !fields.some((name) => body && name in body)) {
    const names = fields.map((name) => `body.${name}`).join(" or ");
    throw new RangeError(`${id} refuses with ${code} only requests with ${names}: give it`);
  }
  if (!isRequestError(code) || options.body || options.query || isPathWrong(operation, options)) return;
  throw new RangeError(
    `${id} refuses only invalid requests with ${code}: give an invalid value in body or query`,
  );
}

const isPathWrong = ({ params: schema }: AnyOperation, { params = {} }: InteractionOptions): boolean =>
  schema !== undefined && findProblem("", toJsonSchema(schema), params) !== null;

/** When an operation refuses with a code, and whether what a consumer test says brings that about. */
import { type Assumption, assumptions, resolveAssumptions } from "../../contract/assumptions.js";
import { type ErrorCode, errors } from "../../contract/errors.js";
import { toJsonSchema } from "../../contract/json-schema.js";
import type { AnyOperation } from "../../contract/operation.js";
import { errorCodesOf, switchFor } from "../../contract/refusals.js";
import { wrongIn } from "./check-value.js";
import { wrong } from "./find-by-name.js";
import type { InteractionOptions } from "./interaction-options.js";

type Fields = Readonly<Record<string, unknown>>;

/** Of a key, a token or bytes: a body of JSON with the right key never has it. */
const elsewhere: readonly ErrorCode[] = [
  "missing_api_key",
  "invalid_api_key",
  "invalid_session_token",
  "expired_session_token",
  "malformed_json",
  "body_too_large",
  "unsupported_media_type",
  "storage_unavailable",
];

/** What a refusal comes of beside states, where the example of a body need not have it. */
const reasons: Readonly<Record<string, { what: string; fields: readonly string[] }>> = {
  "createVirtualAccount duplicate_reference": { what: "what has none of its own", fields: ["reference"] },
  "sendChannelMessage plan_required": { what: "images and documents", fields: ["image", "document"] },
};

const onLiveKeys: readonly string[] = [
  "simulatePayment test_mode_only",
  "verifyBvn phone_number_required",
  "verifyBvn invalid_phone",
  "createVirtualAccount missing_field",
];

export const isOnLiveKey = ({ id }: AnyOperation, code: ErrorCode): boolean =>
  onLiveKeys.includes(`${id} ${code}`);

/** The request is refused for what it is: what is wrong with it is wrong by intent. */
export const isOfRequest = (code: ErrorCode | undefined): boolean =>
  code !== undefined && "validation" in errors[code];

/** Throws a RangeError that says what must be named. */
export function checkRefusal(operation: AnyOperation, code: ErrorCode): void {
  const { id } = operation;
  const codes = errorCodesOf(operation, { serviceOnly: true });
  if (!codes.includes(code)) wrong(`${id} does not refuse with`, code, codes);
  const needed = switchFor(code, operation);
  if (needed && resolveAssumptions()[needed.assumption] !== needed.value) {
    const { assumption, value } = needed;
    const usual = assumptions.find((row) => row.id === assumption) as Assumption;
    throw new RangeError(
      `${id} refuses with ${code} only while the assumption ${assumption} is ${JSON.stringify(value)}; by default: ` +
        `${usual.default.replaceAll("`", "").replaceAll("\n", " ")} ` +
        `Write it with Pact's own builder, and verify it with --assume ${assumption}=${value}`,
    );
  }
  if (elsewhere.includes(code))
    throw new RangeError(
      `${id} refuses with ${code} what interaction() does not send: write it with Pact's own builder`,
    );
}

/** An example of a whole request is one that is taken. Throws a RangeError that says what must be named. */
export function checkReason(
  operation: AnyOperation,
  code: ErrorCode,
  options: InteractionOptions,
  sent: Fields | null,
): void {
  const { id } = operation;
  const { what, fields } = reasons[`${id} ${code}`] ?? { what: "", fields: [] };
  if (fields.length > 0 && !fields.some((name) => sent && name in sent)) {
    const names = fields.map((name) => `body.${name}`).join(" or ");
    throw new RangeError(`${id} refuses with ${code} ${what}: name ${names}`);
  }
  if (!isOfRequest(code) || options.body || options.query || isPathWrong(operation, options)) return;
  throw new RangeError(
    `${id} refuses with ${code} what is wrong with the request: say it with body or query`,
  );
}

const isPathWrong = ({ params: schema }: AnyOperation, { params = {} }: InteractionOptions): boolean =>
  schema !== undefined && wrongIn("", toJsonSchema(schema), params) !== null;

/** The error codes of an operation: the declared ones, and the ones that follow from its properties, such as auth. */
import type { GeneralAssumptionId } from "./assumptions/general.js";
import { type ErrorCode, errors } from "./errors.js";
import {
  type AnyOperation,
  type Auth,
  commonOutcomes,
  isServiceOperation,
  type RefusalWhile,
} from "./operation.js";
import { annotationsIn, fieldsIn } from "./schema-walk.js";

/** Values of assumptions, by id. */
type InForce = Readonly<Record<string, string>>;

const authCodes: Readonly<Record<Auth, readonly ErrorCode[]>> = {
  key: ["missing_api_key", "invalid_api_key"],
  session: ["invalid_session_token", "expired_session_token"],
  control: [
    "invalid_api_key",
    "resource_not_found",
    "admin_token_required",
    "control_off",
    "forbidden_origin",
  ],
  operator: ["admin_token_required", "control_off", "forbidden_origin"],
  none: [],
};

/** Returns the `x-error` codes of coded() fields at any depth. */
const codedIn = (schema: unknown): ErrorCode[] =>
  annotationsIn(schema, "x-error").map((code) => {
    if (Object.hasOwn(errors, code)) return code as ErrorCode;
    throw new Error(`x-error names ${JSON.stringify(code)}, which is not in the error catalogue`);
  });

/** Returns whether the schema of a path parameter accepts every text. */
const fitsAnyText = (schema: object): boolean =>
  Object.entries(schema).every(([keyword, value]) =>
    keyword === "type" ? value === "string" : /^(?:description|examples|x-)/.test(keyword),
  );

function inputCodes({ params, query, body, upload }: AnyOperation): ErrorCode[] {
  const codes: ErrorCode[] = [];
  if (query || !Object.values(params?.properties ?? {}).every(fitsAnyText)) codes.push("validation_error");
  if (query) codes.push("unknown_field");
  if (fieldsIn(query).some(({ isRequired }) => isRequired)) codes.push("missing_field");
  if (body || upload)
    codes.push("validation_error", "missing_field", "unknown_field", "unsupported_media_type");
  if (upload) codes.push("file_too_large");
  else if (body) codes.push("malformed_json", "body_too_large");
  return [...codes, ...[params, query, body].flatMap(codedIn)];
}

function propertyCodes(operation: AnyOperation): ErrorCode[] {
  const codes: ErrorCode[] = ["internal_error"];
  if (operation.plan) codes.push("plan_required");
  if (operation.testModeOnly) codes.push("test_mode_only");
  if (isServiceOperation(operation))
    codes.push("unknown_outcome", ...(Object.keys(commonOutcomes) as ErrorCode[]));
  if (operation.auth !== "none" && operation.auth !== "operator")
    codes.push("unknown_field", "storage_unavailable");
  return codes;
}

/** Codes that only the sandbox has; the service never returns them. */
const sandboxCodes: readonly ErrorCode[] = ["unknown_outcome", "not_installed"];

const unknownFields: RefusalWhile = {
  assumption: "fields.unmarked" satisfies GeneralAssumptionId,
  value: "refused",
  codes: ["unknown_field"],
};

/** Returns the assumption and value that a code of the operation depends on, or undefined if it depends on none. */
export function switchFor(code: ErrorCode, operation: AnyOperation): RefusalWhile | undefined {
  // The control API refuses unknown fields under every value, and every operation refuses files in unknown fields.
  const ofInput = isServiceOperation(operation) && !operation.upload ? [unknownFields] : [];
  return [...ofInput, ...(operation.refusesWhile ?? [])].find(({ codes }) => codes.includes(code));
}

function isPossible(code: ErrorCode, operation: AnyOperation, inForce: InForce): boolean {
  const needed = switchFor(code, operation);
  return !needed || inForce[needed.assumption] === needed.value;
}

export interface ErrorCodesOptions {
  /** Values under which the codes can occur. Default: codes of all values are included. */
  inForce?: InForce;
  /** Whether to omit codes that only the sandbox has. Default false. */
  serviceOnly?: boolean;
}

/** Returns the codes that can occur. */
const select = (
  codes: readonly ErrorCode[],
  operation: AnyOperation,
  { serviceOnly = false, inForce }: ErrorCodesOptions,
): ErrorCode[] =>
  codes.filter(
    (code) =>
      !(serviceOnly && sandboxCodes.includes(code)) && (!inForce || isPossible(code, operation, inForce)),
  );

/** Returns the operation's own refusals: the ones that it declares, and insufficient_balance if it has a price. */
export function refusalsOf(operation: AnyOperation, options: ErrorCodesOptions = {}): ErrorCode[] {
  const { refuses, refusesWhile = [], price } = operation;
  const codes: ErrorCode[] = [...refuses, ...refusesWhile.flatMap(({ codes }) => codes)];
  if (price) codes.push("insufficient_balance");
  return select(codes, operation, options);
}

/** Returns the error codes of an operation, in the order of the catalogue. */
export function errorCodesOf(operation: AnyOperation, options: ErrorCodesOptions = {}): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    ...authCodes[operation.auth],
    ...inputCodes(operation),
    ...propertyCodes(operation),
    ...refusalsOf(operation),
  ]);
  const declared = (Object.keys(errors) as ErrorCode[]).filter((code) => codes.has(code));
  return select(declared, operation, options);
}

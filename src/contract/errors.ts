/**
 * The error catalogue: code, HTTP status, type and message of every refusal. The interface shows no statuses and codes;
 * assumptions errors.types, errors.validation_status, errors.other_statuses.
 */
export const errorTypes = [
  "invalid_request_error",
  "authentication_error",
  "permission_error",
  "billing_error",
  "conflict_error",
  "rate_limit_error",
  "provider_error",
  "api_error",
] as const;
export type ErrorType = (typeof errorTypes)[number];

export interface ErrorKind {
  readonly status: number;
  readonly type: ErrorType;
  readonly message: string;
  /** Whether assumption errors.validation_status decides the status. */
  readonly validation?: true;
}

const kind =
  (type: ErrorType) =>
  (status: number, message: string): ErrorKind => ({ status, type, message });
const request = kind("invalid_request_error");
const auth = kind("authentication_error");
const permission = kind("permission_error");
const billing = kind("billing_error");
const conflict = kind("conflict_error");
const limit = kind("rate_limit_error");
const provider = kind("provider_error");
const api = kind("api_error");
const invalid = (message: string): ErrorKind => ({ ...request(400, message), validation: true });

export const errors = {
  malformed_json: invalid("The body is not valid JSON."),
  validation_error: invalid("The request does not fit the operation's schema."),
  missing_field: invalid("A required field is missing."),
  unknown_field: invalid("The request has an unknown field."),
  invalid_phone: invalid("The phone number is neither a local number starting with 0 nor E.164."),
  invalid_bvn: invalid("A BVN has exactly 11 digits."),
  invalid_nin: invalid("A NIN has exactly 11 digits."),
  invalid_licence_number: invalid("A licence number has 4 to 20 letters or digits."),
  invalid_account_number: invalid("An account number has exactly 10 digits."),
  invalid_bank_code: invalid("The bank code is not the central-bank code of a bank."),
  invalid_template: invalid("The template must contain {code}."),
  text_too_short: invalid("The text must have at least 800 characters."),
  frames_out_of_range: invalid("frames must be a whole number from 4 to 30."),
  video_too_long: invalid("The video must be at most 5 minutes long."),
  amount_out_of_range: invalid("The amount is outside the allowed range."),
  amount_not_in_kobo: invalid("The amount has more than two decimals."),
  phone_number_required: invalid("phone_number is required on live keys."),
  unknown_outcome: invalid("X-Sandbox-Outcome names an outcome that this operation does not have."),

  missing_api_key: auth(401, "The header X-Service-Key is missing."),
  invalid_api_key: auth(401, "The API key is not valid."),
  invalid_session_token: auth(401, "The session token is missing or not valid."),
  expired_session_token: auth(401, "The session token has expired."),
  admin_token_required: auth(
    401,
    "The control API needs the header X-Sandbox-Admin when bound off loopback.",
  ),

  insufficient_balance: billing(402, "The wallet cannot pay for this call."),
  plan_required: permission(403, "The account's plan does not include this."),
  test_mode_only: permission(403, "This operation works with test keys only."),
  control_off: permission(
    403,
    "The control API and its pages are off; start without --control off to use them.",
  ),
  forbidden_origin: permission(403, "The control API does not accept requests with this Host or Origin."),

  route_not_found: request(404, "There is no such path."),
  resource_not_found: request(404, "There is no such record on this account."),
  method_not_allowed: request(405, "The path does not support this method."),
  wait_timeout: request(408, "Nothing was received before the timeout."),

  duplicate_reference: conflict(409, "The reference is already in use."),
  invalid_state: conflict(409, "The record's state does not allow this."),
  channel_not_connected: conflict(409, "The channel is not connected."),
  clock_busy: conflict(409, "The account's clock is already being advanced."),
  link_expired: request(410, "The link has expired."),
  code_expired: request(410, "The code has expired."),
  body_too_large: request(413, "The body is too large."),
  file_too_large: request(413, "The file is too large."),
  unsupported_media_type: request(415, "This operation does not accept this content type."),

  business_profile_required: request(422, "The business profile must be saved first."),
  payout_account_required: request(422, "The payout account must be set first."),
  account_not_resolved: request(422, "The bank has no account with this number."),
  insufficient_available_balance: request(422, "The available balance is too low."),
  refund_exceeds_payment: request(422, "Refunds cannot exceed the amount of the payment."),
  not_refundable: request(422, "Only a successful payment can be refunded."),
  reply_window_closed: request(422, "The person has not written within the reply window."),
  url_unreachable: request(422, "The site does not respond."),
  document_unreadable: request(422, "The document cannot be read."),
  file_unreadable: request(422, "The file cannot be read."),

  rate_limited: limit(429, "Too many requests."),
  otp_hourly_limit: limit(429, "At most 3 codes per hour can be sent to one person."),
  otp_daily_limit: limit(429, "At most 8 codes per day can be sent to one person."),
  too_many_attempts: limit(429, "Too many wrong codes were sent; the id can no longer be used."),
  plan_daily_cap: limit(429, "The plan's daily number of codes has been reached."),

  internal_error: api(500, "Something went wrong on our side."),
  storage_unavailable: api(503, "The store did not confirm the change, or cannot be read; try again."),
  not_ready: api(503, "The sandbox is not ready to serve."),
  not_installed: api(503, "An optional package that this operation needs is not installed."),
  provider_unavailable: provider(503, "The upstream provider is not available."),
  provider_timeout: provider(504, "The upstream provider did not respond in time."),
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errors;

/** A problem of a request: the field, the code and what would be valid. */
export interface ErrorDetail {
  param: string;
  code: ErrorCode;
  message: string;
}

export interface RefusalOptions {
  param?: string;
  message?: string;
  details?: readonly ErrorDetail[];
  headers?: Readonly<Record<string, string>>;
  /** Whether this refusal was requested as the outcome. By default, the request or the account's state is the reason. */
  byOutcome?: true;
  /** Internal failure that caused the refusal. It is reported to the operator. */
  failure?: string;
  /** Additional fields of the error, such as required_plan. */
  extra?: Readonly<Record<string, unknown>>;
}

/** Thrown to refuse a request. Undoes all changes of the request. */
export class Refusal extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly options: RefusalOptions = {},
  ) {
    super(options.message ?? errors[code].message);
    this.name = "Refusal";
  }
}

export const refuse = (code: ErrorCode, options?: RefusalOptions): never => {
  throw new Refusal(code, options);
};

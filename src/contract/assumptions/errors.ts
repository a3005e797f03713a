import { type Assumption, facts } from "./assumption.js";

/** Interface: "Errors". It gives conditions, and neither statuses nor bodies nor codes. */
export const errorRows = [
  {
    id: "errors.body",
    question: "What does an error body look like?",
    default: facts(
      'JSON `{"error":{"type","code","message","param","details":[{"param","code","message"}],"request_id"}}`.',
      "`param` is the first field at fault or null; `details` has one entry for each thing that is wrong.",
      "`request_id` is also in the header `X-Request-Id`, which every reply has.",
    ),
    reason:
      "An envelope with a stable code, a sentence and the field at fault is what payment interfaces mostly do.",
    switch: {
      default: "envelope",
      alternatives: {
        problem:
          "RFC 9457 problem details, `application/problem+json`, with code, param, details and request_id beside them",
        flat: "`{code,message}`",
      },
    },
  },
  {
    id: "errors.types",
    question: "Into which families do errors fall?",
    default: facts(
      "`invalid_request_error`, `authentication_error`, `permission_error`, `billing_error`, `conflict_error`, `rate_limit_error`, `card_error`, `provider_error`, `api_error`.",
    ),
    reason:
      "A client needs to tell its own mistake, the caller's rights, money, limits and outages apart, and no more.",
  },
  {
    id: "errors.validation_status",
    question: "Which HTTP status and which codes does a request get that fails validation?",
    default: facts(
      "Status 400.",
      "For any field: `malformed_json`, `validation_error`, `missing_field`, `unknown_field`.",
      "For identifiers: `invalid_phone`, `invalid_bvn`, `invalid_nin`, `invalid_licence_number`, `invalid_account_number`, `invalid_bank_code`.",
      "For contents: `invalid_template`, `text_too_short`, `frames_out_of_range`, `video_too_long`, `amount_out_of_range`.",
      "On live keys: `phone_number_required`.",
    ),
    reason:
      "400 is the commoner status for a request that is wrong in itself; the interface says refused and no more.",
    switch: {
      default: "400",
      alternatives: { "422": "422 for the same codes" },
    },
  },
  {
    id: "errors.other_statuses",
    question: "Which HTTP statuses and codes do the other refusals have?",
    default: facts(
      "401 `missing_api_key`, `invalid_api_key`, `invalid_session_token`, `expired_session_token`.",
      "402 `insufficient_balance`.",
      "403 `plan_required` (with `required_plan`), `test_mode_only`.",
      "404 `route_not_found`, `resource_not_found`.",
      "405 `method_not_allowed` (with `Allow`).",
      "409 `duplicate_reference`, `invalid_state`, `channel_not_connected`.",
      "410 `link_expired`; with `phone.ended=refused` `code_expired` too.",
      "413 `file_too_large`, `body_too_large`.",
      "415 `unsupported_media_type`.",
      "422 `business_profile_required`, `payout_account_required`, `account_not_resolved`, `insufficient_available_balance`, `refund_exceeds_payment`, `not_refundable`, `url_unreachable`, `document_unreadable`, `file_unreadable`.",
      "429 `rate_limited`, `otp_hourly_limit`, `otp_daily_limit`, `plan_daily_cap` (with `Retry-After`); with `phone.ended=refused` `too_many_attempts` too.",
      "500 `internal_error`.",
      "503 `provider_unavailable`, `storage_unavailable`.",
      "504 `provider_timeout`.",
    ),
    reason:
      "Each takes the status that HTTP gives to its cause; 422 is kept for a sound request that the state refuses.",
    switch: { default: "422", alternatives: { "400": "400 for the codes that are listed under 422" } },
  },
  {
    id: "errors.order",
    question: "Which refusal does a request get that could be refused for several causes?",
    default: facts(
      "Path and method, then authentication, then size and media type, then a malformed body, then validation.",
      "Then plan and mode, then the record, then its state, then the caps, then the provider, then the wallet.",
      "Nothing is charged for a call that is refused.",
    ),
    reason: "What is cheaper to check and tells a stranger less comes first.",
  },
  {
    id: "errors.body_limit",
    question: "How large may a JSON body be?",
    default: "1 MB; above that 413 `body_too_large`.",
    reason: "The limits name file sizes alone, and 1 MB is the usual ceiling for JSON.",
  },
] as const satisfies readonly Assumption[];

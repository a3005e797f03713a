import { errorTypes } from "../errors.js";
import { type Assumption, facts } from "./assumption.js";

/** Interface: "Errors", which gives conditions but no statuses, bodies or codes. */
export const errorRows = [
  {
    id: "errors.body",
    question: "What does an error body look like?",
    default: facts(
      'JSON: `{"error":{"type","code","message","param","details":[{"param","code","message"}],"request_id"}}`.',
      "`param` is the first invalid field, or null; `details` has one entry per problem.",
      "`request_id` equals the header `X-Request-Id`, which every reply has.",
    ),
    reason:
      "Payment APIs commonly use an envelope with a stable code, a message and the name of the invalid field.",
    switch: {
      default: "envelope",
      alternatives: {
        problem:
          "RFC 9457 problem details, `application/problem+json`, with `code`, `param`, `details` and `request_id` as extension members",
        flat: "`{code,message}`",
      },
    },
  },
  {
    id: "errors.types",
    question: "Which error types are there?",
    default: `${errorTypes.map((type) => `\`${type}\``).join(", ")}.`,
    reason:
      "A client has to distinguish its own mistakes, missing permissions, billing, limits and outages; more types would not help it.",
  },
  {
    id: "errors.validation_status",
    question: "Which HTTP status and which error codes does a request get that fails validation?",
    default: facts(
      "The status is 400.",
      "Any field: `malformed_json`, `validation_error`, `missing_field`, `unknown_field`.",
      "Identifiers: `invalid_phone`, `invalid_bvn`, `invalid_nin`, `invalid_licence_number`, `invalid_account_number`, `invalid_bank_code`.",
      "Contents: `invalid_template`, `text_too_short`, `frames_out_of_range`, `video_too_long`, `amount_out_of_range`, `amount_not_in_kobo`.",
      "Live keys only: `phone_number_required`.",
    ),
    reason:
      "400 is the more common status for a request that is invalid in itself; the interface only says that it is refused.",
    switch: {
      default: "400",
      alternatives: { "422": "422 for the same codes" },
    },
  },
  {
    id: "errors.other_statuses",
    question: "Which HTTP statuses and error codes do the other refusals have?",
    default: facts(
      "401: `missing_api_key`, `invalid_api_key`, `invalid_session_token`, `expired_session_token` (with `WWW-Authenticate`).",
      "402: `insufficient_balance`.",
      "403: `plan_required` (with `required_plan`), `test_mode_only`.",
      "404: `route_not_found`, `resource_not_found`.",
      "405: `method_not_allowed` (with `Allow`).",
      "409: `duplicate_reference`, `invalid_state`, `channel_not_connected`.",
      "410: `link_expired`, and `code_expired` with `phone.ended=refused`.",
      "413: `file_too_large`, `body_too_large`.",
      "415: `unsupported_media_type`.",
      "422: `business_profile_required`, `payout_account_required`, `account_not_resolved`, `insufficient_available_balance`, `refund_exceeds_payment`, `not_refundable`, `url_unreachable`, `document_unreadable`, `file_unreadable`.",
      "429: `rate_limited`, `otp_hourly_limit`, `otp_daily_limit`, `plan_daily_cap` (with `Retry-After`), and `too_many_attempts` with `phone.ended=refused`.",
      "500: `internal_error`.",
      "503: `provider_unavailable`, `storage_unavailable`.",
      "504: `provider_timeout`.",
      "The sandbox alone has 400 `unknown_outcome`, 403 `forbidden_origin` and 503 `not_installed`.",
    ),
    reason:
      "Each has the status that HTTP defines for its cause; 422 is for a well-formed request that cannot be carried out as things are.",
    switch: { default: "422", alternatives: { "400": "400 for the codes that are listed under 422" } },
  },
  {
    id: "errors.order",
    question: "If a request could be refused for several reasons, which error does it get?",
    default: facts(
      "Checks run in this order: path and method, authentication, size and media type, JSON syntax, validation, plan and mode, whether the record exists, its state, caps, the provider, the wallet.",
      "A refused call is not charged.",
    ),
    reason: "Checks that are cheap and reveal little to a stranger come first.",
  },
  {
    id: "errors.body_limit",
    question: "How large may a JSON body be?",
    default: facts(
      "At most 1 MB; a larger one gets 413 `body_too_large`.",
      "Nested at most 64 levels deep; a deeper one gets 400 `malformed_json`.",
    ),
    reason: "The interface only limits file sizes, and 1 MB is a usual limit for JSON.",
  },
] as const satisfies readonly Assumption[];

/** The assumptions that concern every request, whatever its operation. The service adds the assumptions of its sections. */

import { controlRoutes } from "../control-routes.js";
import { errorTypes } from "../errors.js";
import { assumedPrefixes } from "../schemas.js";
import { type Assumption, facts, resolveValues, type ValuesOf } from "./assumption.js";

/** Interface: "Errors", which gives conditions but no statuses, bodies or codes. */
const errorRows = [
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

/** Interface: "Authentication" and "Account": keys, plans and charging. */
const accessRows = [
  {
    id: "keys",
    question: "What does an API key look like, and how do live keys differ from test keys?",
    default: facts(
      "Any key of 8 to 128 visible ASCII characters is valid; the first request with a key creates its account.",
      "A key that contains `live` as a word, delimited by hyphens, underscores or the ends of the key, is a live key. Any other key is a test key.",
      "No operation issues, rotates or scopes keys.",
      "A key that ends in `_invalid` or `_revoked` gets 401 `invalid_api_key`.",
    ),
    reason: "Payment APIs commonly put the mode into the key, and tests need keys without a sign-up.",
  },
  {
    id: "session_token",
    question: "How is the dashboard's session token obtained, and which claims does it have?",
    default: facts(
      `\`${controlRoutes.createSessionToken}\` issues one; clients send it as \`Authorization: Bearer\`.`,
      'It is a JWT (HS256) with `iss`, `sub` (the account id), `aud` "dashboard", `iat` and `exp`, one hour after `iat`.',
      "The token determines account and mode; X-Service-Key is not required and is ignored.",
    ),
    reason: "These are the registered claims of a JWT, and one hour is a common lifetime of a session.",
  },
  {
    id: "plans",
    question: "Which plans are there, and which plan does an account have?",
    default: facts(
      "`starter`, `growth` and `business`, from lowest to highest; an account has `business` until it is changed.",
      "A plan decides what can be sent: a code is checked, and the result of a question is read, on every plan.",
    ),
    reason: "The interface says Growth or above and Business or above, so there is a plan below Growth.",
  },
  {
    id: "charging",
    question: "When is a priced call charged?",
    default: facts(
      "Every 2xx reply is charged at list price in both modes, including `not_found` and `no_match`.",
      "A 4xx or 5xx reply costs nothing and does not use up a free allowance.",
      "A refund of a failed delivery raises the balance; the reply of the call keeps the `cost` that was charged.",
      "An account's wallet starts with NGN 1,000,000 of play money; it is separate from the business balance.",
      "A call that the wallet cannot pay for gets 402 `insufficient_balance`.",
    ),
    reason: "Lookups are commonly billed per completed query, and a refused call was not carried out.",
  },
  {
    id: "charging.test_keys",
    question: "Do calls on a test key cost something?",
    default:
      "They are paid from the wallet, whose money is play money, so that a client meets every refusal.",
    reason:
      "The interface says that test keys return the documented shape and move no real money, and excepts no call from 402.",
    switch: {
      default: "debited",
      alternatives: {
        free: "replies show the `cost`, and the wallet of a test key neither falls nor rises, so that no call is refused for it",
      },
    },
  },
] as const satisfies readonly Assumption[];

/** Interface: "Endpoints", rules for all operations. */
const requestRows = [
  {
    id: "http.paths",
    question: "Which notations of a path and which methods are accepted?",
    default: facts(
      "Every operation has version 1 alone, and no header announces a deprecation.",
      "A header `Idempotency-Key` is ignored: a request that is sent twice is carried out twice.",
      "Paths are matched exactly: another case, a doubled slash or a slash at the end gets 404 `route_not_found`.",
      "A path of the interface with any other method, `HEAD` and `OPTIONS` included, gets 405 `method_not_allowed`.",
    ),
    reason: "The interface shows one notation and one set of methods, and the service may accept no other.",
  },
  {
    id: "http.browsers",
    question: "Can web pages call the service from a browser?",
    default: facts(
      "Only pages of origins that `--allow-origin` names. Replies to other pages have no CORS headers, and their preflight requests get 403 `forbidden_origin`.",
      "Bound to loopback, the sandbox refuses host names that are neither local nor allowed by `--allow-host` with 403 `forbidden_origin`.",
    ),
    reason: "The API key is secret, so it belongs on a server, where no visitor of a page can read it.",
  },
  {
    id: "http.created",
    question: "Which HTTP status does a successful request get?",
    default: facts(
      "201: phone start, address check, streaming token, audits, domain start, media scans, creating a channel, channel code, identity check, virtual account, charge, payout, refund, webhook endpoint.",
      "All others: 200.",
    ),
    reason: "APIs commonly answer 201 when a request creates a record with an id.",
    switch: { default: "created", alternatives: { ok: "every successful request gets 200" } },
  },
  {
    id: "replies",
    question: "Which fields does a reply have if its operation lists fewer than the record has?",
    default: facts(
      "If the operation's entry in the interface lists fields, exactly those.",
      "If the entry names a record, all fields of its table; `verification.reply_fields` covers those marked where present.",
      "An echoed field that was not sent is null.",
    ),
    reason: "A client that relies on undocumented fields would fail against the service.",
  },
  {
    id: "uploads.limits",
    question: "How large may an upload be if the interface gives no limit?",
    default: facts(
      "Identity, address and image uploads: 15 MB; a larger file gets 413 `file_too_large`.",
      "Photos of persons and documents: 200 megapixels, the resolution of the largest phone cameras; a larger one gets 413 `file_too_large`.",
      "A picture whose header states no dimensions gets 415 `unsupported_media_type`.",
    ),
    reason: "15 MB is the smallest limit that the interface states, and it applies to images.",
  },
  {
    id: "uploads.types",
    question: "Which types of files are accepted if the interface names none?",
    default: facts(
      "Photos of persons and documents, and pictures whose background is removed: PNG, JPEG and WebP. Address documents: PDF too.",
      "Audio files: the six formats that audio is converted to, MP4 files with audio among them. `media.images` and `media.videos` list the types of scans.",
      "The bytes of a file determine its type, whatever its name and declared type; any other type gets 415 `unsupported_media_type`.",
      "An empty file gets 400 `validation_error`.",
    ),
    reason: "Browsers and phones upload these types, and neither a name nor a declared type proves anything.",
  },
  {
    id: "uploads.megabyte",
    question: "How many bytes does the MB of a file limit have?",
    default: "1,048,576 bytes (1024 × 1024).",
    reason: "Servers and upload libraries commonly count in powers of two.",
    switch: { default: "binary", alternatives: { decimal: "1,000,000 bytes" } },
  },
  {
    id: "latency",
    question: "Do replies have the documented response times?",
    default: facts(
      "No, replies are sent at once.",
      'With `--latency documented`, or `"latency": "documented"` in the config, a BVN check takes 0.4 to 2.5 s, a NIN check 0.5 to 3.5 s and a standard audit 15 to 70 s.',
      "A rule with a latency delays the requests that it matches.",
    ),
    reason: "Most tests check what a client does, and waiting would only slow them down.",
  },
  {
    id: "fields.unmarked",
    question: "Is a request field without a marker required, and what happens to unknown fields?",
    default: facts(
      "A request field without `?` is required, unless another assumption says otherwise.",
      "Unknown fields in the query, body or form are ignored.",
      "Values are not converted: a number in place of a text gets 400 `validation_error`. `fields.null` covers null, and a test key ignores whatever the `phone_number` of a BVN check is.",
      "`address`, `full_name`, `business_name` and `customer_name` must not be blank; other names may consist of spaces.",
      "`customer_email` must be an email address.",
      "A file in a field that takes none is refused with `unknown_field`, since uploading it had no effect.",
    ),
    reason:
      "The marker `?` would be meaningless if unmarked fields were optional as well. Most APIs ignore unknown fields.",
    switch: {
      default: "ignored",
      alternatives: {
        refused:
          "a request with an unknown field in its query, form or body, at any depth, is refused with `unknown_field`",
      },
    },
  },
  {
    id: "fields.null",
    question: "What does null mean for an optional field of a JSON body?",
    default: "The same as leaving the field out.",
    reason: "Clients in many languages write a field without a value as null, and most APIs accept it.",
    switch: {
      default: "omitted",
      alternatives: { refused: "400 `validation_error`, as for any other value of a wrong type" },
    },
  },
  {
    id: "lists",
    question: "How are lists sorted and paged?",
    default:
      "Newest first, in full and without paging; audits, sessions and media scans return the newest 100.",
    reason: "The interface says most recent first and has no paging parameters.",
  },
  {
    id: "ids",
    question: "Which prefixes do ids have if the interface shows none?",
    default: facts(
      "Documented prefixes are used as documented.",
      `The others are ${assumedPrefixes.map((prefix) => `\`${prefix}\``).join(", ")}.`,
      "Digits and lower-case letters follow the prefix. The contract allows any text there, since the interface shows none.",
    ),
    reason: "All documented ids have a short prefix, so the others probably have one too.",
  },
  {
    id: "rate_limits",
    question: "How many requests may an API key send?",
    default: "There is no limit; a rule can refuse requests with 429 `rate_limited`.",
    reason: "An invented limit would make tests fail for a reason that the interface does not state.",
  },
] as const satisfies readonly Assumption[];

export const generalAssumptions = [...errorRows, ...requestRows, ...accessRows] as const;

type GeneralAssumption = (typeof generalAssumptions)[number];
export type GeneralAssumptionId = GeneralAssumption["id"];
/** Values in force of the assumptions that can be switched. */
export type GeneralAssumptions = ValuesOf<GeneralAssumption>;

export const generalDefaults: GeneralAssumptions = resolveValues(generalAssumptions, []);

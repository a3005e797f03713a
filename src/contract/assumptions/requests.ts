/** Assumptions about keys, plans and prices, and about requests. */
import { controlRoutes } from "../control-routes.js";
import { assumedPrefixes } from "../schemas.js";
import { type Assumption, facts } from "./assumption.js";

/** Interface: "Authentication" and "Account": keys, plans and charging. */
export const accessRows = [
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
    default:
      "`starter`, `growth` and `business`, from lowest to highest; an account has `business` until it is changed.",
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
export const requestRows = [
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
      "Audio files: the six formats that audio is converted to, MP4 files with audio among them. `media.images` and `media.videos` list those of scans.",
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

import { type Assumption, facts } from "./assumption.js";

/** Interface: "Endpoints", where a rule holds for every operation. */
export const requestRows = [
  {
    id: "http.created",
    question: "Which HTTP status does a success have?",
    default: facts(
      "201 for: phone start, address, streaming token, audits, domain start, media scans, channel create, channel code, identity check, virtual account, charge, payout, refund, webhook.",
      "Every other success is 200.",
    ),
    reason: "Operations that leave behind a record with an id mostly answer 201.",
    switch: { default: "created", alternatives: { ok: "every success is 200" } },
  },
  {
    id: "replies",
    question: "Which fields does a reply have where an operation lists fewer than its record?",
    default: facts(
      "Exactly the fields that its line in the interface lists plus those that its record table marks as always there.",
      "An echo that was not given is null.",
    ),
    reason: "A client that reads more than the documented fields would fail against the service.",
  },
  {
    id: "uploads.limits",
    question: "How large may an upload be where the interface gives no limit?",
    default: facts(
      "15 MB for identity, address and image uploads; above that 413 `file_too_large`.",
      "200 megapixels for a photo of a person or document, as many as the largest phone cameras take; above that 413 `file_too_large`.",
      "A picture whose header shows no size is 415 `unsupported_media_type`.",
    ),
    reason: "15 MB is the smallest limit that the interface does give, the one for images.",
  },
  {
    id: "fields.unmarked",
    question:
      "Is a request field without a mark required, and what becomes of a field that the operation does not know?",
    default: facts(
      "A request field without `?` is required, except where another assumption says otherwise.",
      "Unknown fields are ignored, in the query, the body and a form.",
      "A file in a field that takes none is refused with `unknown_field`: it would be sent for nothing.",
    ),
    reason:
      "The mark `?` would say nothing if unmarked fields were optional too; most services ignore unknown fields.",
    switch: {
      default: "ignored",
      alternatives: {
        refused:
          "a request with an unknown field in its query, its body, at whatever depth, or its form is refused with `unknown_field`",
      },
    },
  },
  {
    id: "lists",
    question: "How are lists ordered and paged?",
    default: "Newest first, whole, no paging; audits, sessions and scans give the newest 100.",
    reason: "The interface says most recent first and names no paging parameters.",
  },
  {
    id: "ids",
    question: "Which prefixes do ids have where the interface shows none?",
    default: facts(
      "The documented prefixes where there are any.",
      "Otherwise `pay_`, `po_`, `rf_`, `va_`, `wac_`, `otp_`, `idq_`, `whe_`, `evt_`, `dlv_`.",
    ),
    reason: "The documented ids all have a short prefix, so the others likely do.",
  },
  {
    id: "rate_limits",
    question: "How many requests may a key send?",
    default: "Any number; a rule can refuse with 429 `rate_limited`.",
    reason: "A limit that nobody documented would fail tests for no reason that a reader could find.",
  },
] as const satisfies readonly Assumption[];

import { type Assumption, facts } from "../../contract/assumptions/assumption.js";

/** Behaviour that the interface leaves open under "Phone verification". */
export const phoneRows = [
  {
    id: "phone.notations",
    question: "Which phone numbers are accepted, and how are they checked?",
    default: facts(
      "Local numbers: 0 and ten digits with the prefix of a Nigerian mobile network or area. E.164: the same after `+234`; otherwise an assigned country code and a length possible there.",
      "Spaces and hyphens are ignored.",
      "Anything else is refused with `invalid_phone`. Whether a number is in use is not checked.",
      "`+23480000000NN` is always valid.",
    ),
    reason: "The interface names these two notations, and people type spaces and hyphens.",
  },
  {
    id: "phone.states",
    question:
      "Which statuses does a phone verification have besides pending and verified, and when does it reach them?",
    default: facts(
      "`pending`, `verified`, `expired` and `max_attempts_reached`.",
      "A wrong code gets 200 with `verified:false`.",
      "Five wrong attempts make the id unusable; a code is valid for 10 minutes.",
      "On a test key too, only the code that was sent is right; the sandbox's inbox shows it.",
    ),
    reason:
      "Messaging codes have five attempts and ten minutes too, and the names come from a well-known verification API.",
    switch: {
      default: "named",
      alternatives: { failed: "`failed` in place of `expired` and `max_attempts_reached`" },
    },
  },
  {
    id: "phone.ended",
    question: "What is the reply to a check after the code expired or too many wrong codes were sent?",
    default: "200 with `verified:false` and the status, which names the reason.",
    reason: "A wrong code gets the same kind of reply, so a client has to read one field only.",
    switch: {
      default: "answered",
      alternatives: {
        refused:
          "410 `code_expired`, or 429 `too_many_attempts` from the sixth wrong attempt on; a wrong code still gets 200",
      },
    },
  },
  {
    id: "phone.code_reuse",
    question: "What is the reply to a check of a verification that is already verified?",
    default:
      "A code can be used once: every later check gets `verified:false`, and the status stays `verified`.",
    reason:
      "The interface says so of messaging codes. A sandbox that accepts a code again would hide that a client lets a stolen code in.",
    switch: {
      default: "once",
      alternatives: {
        again:
          "the right code again: `verified:true`, so that a repeated request gets the same reply; any other code: `verified:false`",
      },
    },
  },
  {
    id: "phone.second_code",
    question: "Does a second code for a phone number end the first verification?",
    default: "No: both codes stay valid until they expire, each with its own id.",
    reason: "The interface gives each verification its own lifetime and names nothing else that ends it.",
    switch: {
      default: "both",
      alternatives: { replaced: "the pending verifications of the number become `expired`" },
    },
  },
  {
    id: "phone.template",
    question: "When is a message template refused?",
    default: facts(
      "Without `{code}`: `invalid_template`.",
      "Other words in braces are sent as they stand.",
      "A message of more than 160 characters is sent in several parts at the price of one send.",
    ),
    reason: "The interface requires the code, names no length, and gives one price per send.",
  },
] as const satisfies readonly Assumption[];

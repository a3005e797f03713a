import { type Assumption, facts } from "./assumption.js";

/** Interface: "Phone verification" and "Identity and data verification". */
export const verificationRows = [
  {
    id: "phone.notations",
    question: "Which phone numbers are accepted, and what about them is checked?",
    default: facts(
      "A Nigerian number as 0 and ten digits with the prefix of a mobile network or area, or E.164; spaces and hyphens are ignored.",
      "Of a number in E.164, `+234` needs such a prefix as well; elsewhere the country code must be assigned and the length possible there.",
      "Anything else is `invalid_phone`. Whether a number is in use is not checked.",
      "`+23480000000NN` is always valid.",
    ),
    reason: "The interface names these two notations, and people type spaces and hyphens.",
  },
  {
    id: "phone.states",
    question:
      "Which statuses has a phone verification beside pending and verified, and when does it reach them?",
    default: facts(
      "`pending`, `verified`, `expired`, `max_attempts_reached`.",
      "A wrong code is 200 with `verified:false`.",
      "Five wrong tries make the id unusable; a code lives for 10 minutes.",
    ),
    reason:
      "The messaging code has five tries and ten minutes, and the names are those of a well-known verification API.",
  },
  {
    id: "phone.ended",
    question: "What does a check of an id answer whose code has expired or was tried too often?",
    default: "200 with `verified:false` and the status that says why.",
    reason:
      "A wrong code is answered so, and a client reads one field to know whether the number is verified.",
    switch: {
      default: "answered",
      alternatives: {
        refused:
          "410 `code_expired`, or 429 `too_many_attempts` from the sixth wrong try on; a wrong code is still 200",
      },
    },
  },
  {
    id: "phone.code_reuse",
    question: "What does a check of an id answer that is verified already?",
    default: facts(
      "The right code again: `verified:true`.",
      "Any other code: `verified:false`, and the status stays.",
    ),
    reason: "A client that repeats a request after a lost reply should get the same answer.",
    switch: {
      default: "again",
      alternatives: {
        once: "a code can be used once: every later check is `verified:false`, and the status stays",
      },
    },
  },
  {
    id: "phone.template",
    question: "When is a message template refused?",
    default: facts(
      "Without `{code}`: `invalid_template`.",
      "Longer than 160 characters after filling: `invalid_template`.",
    ),
    reason:
      "The interface says that it must contain the code, and the price is for one SMS of 160 characters.",
  },
  {
    id: "lookup.not_found",
    question: "How does a lookup report that nothing was found?",
    default: facts(
      '200 with `status:"not_found"`, `match:false`, `data:null`, `confidence_score:0`.',
      "For document and liveness `match` stays null under every outcome.",
    ),
    reason: "The interface says that the result reports not_found, so there is a result.",
    switch: {
      default: "result",
      alternatives: {
        refused: "404 `resource_not_found`, which costs nothing, for the five lookups by number",
      },
    },
  },
  {
    id: "lookup.match",
    question: "How are submitted names and a birth date compared, and from which score on is it a match?",
    default: facts(
      "Case, diacritics, punctuation, hyphens, titles and the order of names do not count; initials, short forms and left out middle names cost little.",
      "A birth date counts 30 of 100, exactly right or not at all; nothing submitted scores 100.",
      "`match` is true from 80; 50 to 79 is a partial match. For a bank account the score is 100, or 0 when not found.",
      "`bvn-account-match` compares the account's name with the BVN's holder: FULL_MATCH from 80 where both are one person, PARTIAL_MATCH from 50, else NO_MATCH.",
    ),
    reason:
      "The interface names a cross-match score from 0 to 100 and three results of the account match, and no rule.",
  },
  {
    id: "lookup.people",
    question: "Who is behind a number?",
    default: facts(
      "People that the tester registered, then those of `fixtures/people.json`: every endpoint agrees about them.",
      "Behind any other number stands an invented person, the same each time, who bears the names and the birth date submitted.",
      "A licence or document past its date on the account's clock is expired.",
      "A bank account nobody is known by belongs to the known holder of the BVN; a BVN that is not the known owner's never matches in full.",
      "Registering somebody fills in what is left out; a number or face that belongs to a known person is 409 `duplicate_reference`.",
    ),
    reason: "A client under test needs a success without set-up, and people it can rely on when it has one.",
  },
  {
    id: "people.faces",
    question: "Whom does an uploaded photo or document show?",
    default: facts(
      "The known person whose `face` is a word of the file name, such as `adaeze-licence.png`; otherwise an invented one, the same for the same bytes.",
      "An address document in a known person's name shows that person's address; an ID document is the licence, or else the national ID.",
      "Two known faces decide a face match; with one or none it is a match.",
    ),
    reason: "Pictures are not looked at, and a tester must be able to say who is on them.",
  },
  {
    id: "verification.reply_fields",
    question: "Which of cost, currency, is_test and created_at has a verification's reply?",
    default:
      "Those that the operation's own line in the interface names: cost for document, liveness and face-match, cost, currency and is_test for an address; none for the number lookups.",
    reason: "The record table says where present, and the endpoint lines are what shows where.",
  },
  {
    id: "address.precision",
    question: "Which labels has address.precision?",
    default: "`house`, `street`, `town` or `unknown`; with `unknown` latitude and longitude are null.",
    reason: "They follow the four steps of the points for an address that exists.",
  },
  {
    id: "address.required",
    question: "Which fields does an address check need, and how long does its link live?",
    default: facts(
      "`address`, `full_name` and `country` are required; `radius_m` is 200 by default; `reference` is optional.",
      "It expires after 72 hours; after that its link, location and document get 410 `link_expired`.",
    ),
    reason: "The three say whom and where to check, and three days give a person time to be at home.",
  },
  {
    id: "address.points",
    question: "How many points does each part of an address check give?",
    default: facts(
      "Exists: house number, street and known town 40; street and town 30; town only 15; else 0.",
      "Location: distance within the radius 40; distance less accuracy within the radius 20; else 0.",
      "Document: `address_match` of 80 or more and `name_match` 20; the address only 10; else 0.",
      "The status of a check is `pass`, `partial`, `fail` or `not_provided`.",
      "A new location or document replaces that part; on a verified check it is 409 `invalid_state`.",
      "`match` is null while pending, then whether it is verified; `confidence_score` is the sum.",
    ),
    reason: "The interface gives the largest score of each part, and these are the natural steps below it.",
  },
  {
    id: "address.signals",
    question: "What does an item of signals hold?",
    default:
      "`{category,severity,title,detail}`: accuracy worse than 100 m, location far away, name differs.",
    reason: "Findings and scan signals have the same four fields.",
  },
  {
    id: "verification.webhooks",
    question: "Which verifications send verification.completed beside address checks?",
    default: "document, liveness and face-match.",
    reason: "The events section names documents, face match and some liveness checks.",
  },
] as const satisfies readonly Assumption[];

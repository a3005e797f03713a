import { type Assumption, facts } from "./assumption.js";

/** Interface: "Phone verification" and "Identity and data verification". */
export const verificationRows = [
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
      "Messaging codes have five attempts and ten minutes too, and the names are those of a well-known verification API.",
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
    reason:
      "The interface gives each verification a lifetime of its own and names nothing else that ends it.",
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
      "A message of more than 160 characters is sent in several parts at the price of one send.",
    ),
    reason: "The interface requires the code, names no length, and gives one price per send.",
  },
  {
    id: "lookup.not_found",
    question: "How does a lookup report that nothing was found?",
    default: facts(
      '200 with `status:"not_found"`, `match:false`, `data:null` and `confidence_score:0`.',
      "For document and liveness checks `match` is null under every outcome.",
    ),
    reason: "The interface says that the result reports not_found, so there is a result.",
    switch: {
      default: "result",
      alternatives: {
        refused: "404 `resource_not_found`, free of charge, for the five lookups by number",
      },
    },
  },
  {
    id: "lookup.match",
    question: "How are submitted names and dates of birth compared, and which score is a match?",
    default: facts(
      "Case, diacritics, punctuation, hyphens, titles and the order of names are ignored; initials, short forms and omitted middle names lower the score slightly.",
      "A date of birth counts for 30 of 100 points and has to be exact; a lookup with nothing to compare scores 100.",
      "`match` is true from 80; 50 to 79 is a partial match. For a bank account the score is 100, or 0 if it is not found.",
      "`bvn-account-match` compares the account's name with that of the BVN's holder: FULL_MATCH from 80 if both are the same person, PARTIAL_MATCH from 50, otherwise NO_MATCH.",
    ),
    reason:
      "The interface has a cross-match score from 0 to 100 and three results of the account match, but no rule.",
  },
  {
    id: "lookup.people",
    question: "Which person does a number belong to?",
    default: facts(
      "Persons registered by the tester come first, then those of `fixtures/people.json`; all endpoints agree about them.",
      "Any other number belongs to an invented person, always the same one, who has the submitted names and date of birth. A date of birth after today is refused.",
      "A licence or document is expired once its expiry date has passed on the account's clock.",
      "An unknown bank account belongs to the known holder of the submitted BVN; a known account and a BVN that is not its owner's are never a full match.",
      "Registration fills in what is omitted; a number or face that belongs to a known person is refused with 409 `duplicate_reference`.",
    ),
    reason:
      "A client under test needs a success without preparation, and predictable people when it prepares some.",
  },
  {
    id: "people.faces",
    question: "Whom does an uploaded photo or document show?",
    default: facts(
      "The known person whose `face` is a word of the file name, such as `adaeze-licence.png`; otherwise an invented person, the same one for the same bytes.",
      "An address document of a known person shows that person's address; an ID document is the licence or, without one, the national ID.",
      "If both photos show known persons, they decide a face match; otherwise it is a match.",
    ),
    reason: "The sandbox does not analyse pictures, and a tester must be able to choose who is on them.",
  },
  {
    id: "verification.reply_fields",
    question:
      "Which of the fields that the interface marks where present does the reply to a verification have?",
    default: facts(
      "`confidence_score`: all verifications except document checks.",
      "`cost`: document, liveness, face-match and address checks.",
      "`currency` and `is_test`: address checks only.",
      "`created_at`: none.",
    ),
    reason:
      "A field is present if the operation's entry mentions it or a rule needs it, such as the score of a lookup.",
    switch: {
      default: "mentioned",
      alternatives: {
        all: "`cost`, `currency`, `is_test` and `created_at` in the reply to every verification, and `confidence_score` as by default",
      },
    },
  },
  {
    id: "banks",
    question: "Which bank codes and licence numbers are accepted?",
    default: facts(
      "The three-digit codes of `fixtures/banks.json`; any other three digits are refused with `invalid_bank_code`.",
      "Any code of five or six digits, as microfinance and digital banks have: one that is not on the list is named after its code, such as `Bank 090270`.",
      "A licence number has 4 to 20 letters or digits; spaces, hyphens and slashes between them are ignored.",
    ),
    reason:
      "The interface asks for the central-bank code and for a string. Commercial banks are few, other institutions are hundreds.",
    switch: {
      default: "refused",
      alternatives: {
        named: "any three digits are accepted too, and the bank is named after its code, such as `Bank 999`",
      },
    },
  },
  {
    id: "address.precision",
    question: "Which values does address.precision have?",
    default: facts(
      "`house`, `street`, `town` and `unknown`; `address.unknown_position` covers the position of an `unknown` address.",
      "Only addresses in Nigeria can be found.",
      "A location for an `unknown` address scores 0 and has no `distance_m`.",
    ),
    reason: "They correspond to the four scores of an address.",
  },
  {
    id: "address.unknown_position",
    question: "Which latitude and longitude does an address have that is not found?",
    default: facts(
      "Numbers, as for any other address: those of the middle of Nigeria, or 0 and 0 for an address abroad.",
      "`precision` is `unknown`, and no distance is measured from there.",
    ),
    reason:
      "The interface's table gives both as numbers, and geocoders fall back to the middle of the country.",
    switch: { default: "numbers", alternatives: { null: "null for both" } },
  },
  {
    id: "address.required",
    question: "Which fields does an address check require, and when does its link expire?",
    default: facts(
      "`address`, `full_name` and `country` are required; `country` may be in lower case; `radius_m` is greater than 0, by default 200; `reference` is optional.",
      "The check expires after 72 hours; its link, location and document then get 410 `link_expired`.",
    ),
    reason:
      "The three required fields say whom and where to check, and three days give a person time to be at home.",
  },
  {
    id: "address.points",
    question: "How many points does each part of an address check score?",
    default: facts(
      "Address: 40 with house number, street and a known town; 30 with street and town; 15 with the town only; otherwise 0.",
      "Location: 40 if the distance is within the radius; 20 if the distance less the accuracy is; otherwise 0.",
      "Document: 20 if `address_match` is at least 80 and `name_match` is true; 10 if only the address matches; otherwise 0.",
      "The status of each part is `pass`, `partial`, `fail` or `not_provided`.",
      "A new location or document replaces the former one; on a verified check it gets 409 `invalid_state`.",
      "`match` is null while the check is pending, and then says whether it is verified; `confidence_score` is the total.",
    ),
    reason: "The interface gives the maximum of each part; the steps below it are the natural ones.",
  },
  {
    id: "address.signals",
    question: "What does an item of `signals` contain?",
    default:
      "`{category,severity,title,detail}`; there are signals for an accuracy worse than 100 m, a distant location and a different name.",
    reason: "Audit findings and scan signals have the same four fields.",
  },
  {
    id: "verification.webhooks",
    question: "Which verifications send verification.completed besides address checks?",
    default: "document, liveness and face-match.",
    reason: "The events section names documents, face match and some liveness checks.",
  },
  {
    id: "verification.payload",
    question: "Which document types, checks and extracted texts has verification.completed?",
    default: facts(
      "An address: `utility_bill`, or `bank_statement` where `statement` is in the file name; `none` while no document has been submitted.",
      "Its checks are `address_exists`, `location` and `document`; with a document `date_recent` (at most 90 days old) and `address_extracted` too. Extracted are `address`, and `issuer` and `bill_date` of the document.",
      "An ID document: `drivers_licence` or `national_id`, checks `readable`, `not_expired` and `address_extracted`, extracted `full_name`, `address`, `issuer` and `expiry_date`. It has no bill date.",
      "A liveness check: `selfie`, check `live`. A face match: `id_photo`, check `same_person`. Both extract nothing.",
      "The control API's move `document` takes `document_type` and `bill_date`.",
    ),
    reason: "The interface shows the payload of one utility bill; every payload has the same fields.",
  },
] as const satisfies readonly Assumption[];

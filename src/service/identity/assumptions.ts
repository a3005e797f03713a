import { type Assumption, facts } from "../../contract/assumptions/assumption.js";

/** Behaviour that the interface leaves open under "Identity and data verification", addresses aside. */
export const identityRows = [
  {
    id: "account_numbers",
    question: "What is a valid account number?",
    default: "Ten digits; anything else gets 400 `invalid_account_number`.",
    reason: "Nigerian bank account numbers (NUBAN) have ten digits.",
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
      "`bvn-account-match` compares the account's name with the name of the BVN's holder: FULL_MATCH from 80 if both are the same person, PARTIAL_MATCH from 50, otherwise NO_MATCH.",
    ),
    reason:
      "The interface has a cross-match score from 0 to 100 and three results of the account match, but no rule.",
  },
  {
    id: "lookup.people",
    question: "Which person does a number belong to?",
    default: facts(
      "Persons registered by the tester come first, then the people in `fixtures/people.json`; all endpoints agree about them.",
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
      "Any code of five or six digits, as microfinance and digital banks have: a bank that is not on the list is named after its code, such as `Bank 090270`.",
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

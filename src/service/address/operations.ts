/** Interface: the three operations of an address check. */

import * as Type from "typebox";
import { coded, notBlank } from "../../contract/schemas.js";
import type { Account } from "../../world/account/account.js";
import { nameSimilarity } from "../identity/name-similarity.js";
import { maxPhotoPixels } from "../identity/photos.js";
import { decideOutcome, operation } from "../operation.js";
import { fullName } from "../people/person.js";
import { findPersonByFace } from "../people/registry.js";
import { testValueWithin } from "../test-values.js";
import {
  AddressCheck,
  type AddressCheckRecord,
  AddressDocumentResult,
  AddressLocationBody,
  AddressLocationResult,
  addressCheck,
  compareDocument,
  confirmLinkLifetimeMs,
  documentTypeOf,
  locate,
  requireOpenCheck,
} from "./check.js";
import type { AddressReading } from "./parse-address.js";
import {
  type DocumentReading,
  existenceCheck,
  minDocumentSimilarity,
  notProvided,
  type Position,
  type Precision,
} from "./score.js";

/** Loads the reader of addresses, and the places of Nigeria with it. */
const loadReader = () => import("./parse-address.js");
type Reader = Awaited<ReturnType<typeof loadReader>>;

/** Outcomes of looking up an address; assumptions address.points and address.precision. */
const addressOutcomes = {
  found: "the address is found: 40 points with a house number, 30 with the street only",
  town_only: "only the town is found: 15 points",
  not_found: "nothing is found: 0 points",
};
type AddressOutcome = keyof typeof addressOutcomes;

const outcomesByPrecision = {
  house: "found",
  street: "found",
  town: "town_only",
  unknown: "not_found",
} as const satisfies Record<Precision, AddressOutcome>;

/** Position of an address that must be found but names no known place: Abuja. */
const fallbackPosition: Position = { latitude: 9.057, longitude: 7.4951 };

/** Returns the precision under an outcome. An unknown address that must be found counts as found with its house number. */
const precisionFor = (requested: AddressOutcome, own: Precision): Precision =>
  (({ found: own === "street" ? own : "house", town_only: "town", not_found: "unknown" }) as const)[
    requested
  ];

/** Returns the position of an address at this precision, or null if nothing is found. */
function positionAt(
  precision: Precision,
  reading: AddressReading,
  { addressPosition }: Reader,
): Position | null {
  if (precision === "unknown") return null;
  const street = precision === "town" ? null : reading.street;
  return addressPosition({ ...reading, street }, reading.place ?? fallbackPosition);
}

/** The two-letter country codes of ISO 3166-1. */
const codes =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
  "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO " +
  "FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE " +
  "JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO " +
  "MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW " +
  "PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM " +
  "TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

const countries: ReadonlySet<string> = new Set(codes.split(" "));

const countryRule = "a two-letter country code of ISO 3166-1, such as NG";

/** Positions of addresses that are not found; assumption address.unknown_position. */
const middleOfNigeria: Position = { latitude: 9.082, longitude: 8.6753 };
const nullIsland: Position = { latitude: 0, longitude: 0 };

export const verifyAddress = operation({
  id: "verifyAddress",
  route: "POST /v1/verify/address",
  summary: "Start an address check",
  description:
    "The check is pending until the person opens confirm_url at the address, or a location or document is submitted. " +
    "Each result is also sent as verification.completed.",
  auth: "key",
  body: Type.Object({
    address: Type.String({ ...notBlank, examples: ["12 Allen Avenue, Ikeja, Lagos"] }),
    full_name: Type.String({ ...notBlank, examples: ["Adaeze Okafor"] }),
    country: Type.String({
      pattern: "^[A-Za-z]{2}$",
      description: "Two-letter country code of ISO 3166-1",
      ...coded("validation_error", countryRule),
      examples: ["NG"],
    }),
    radius_m: Type.Optional(Type.Number({ exclusiveMinimum: 0, default: 200, description: "Metres" })),
    reference: Type.Optional(Type.String()),
  }),
  reply: { 201: AddressCheck },
  refuses: ["validation_error"],
  outcomes: addressOutcomes,
  price: "address",
  assumptions: ["address.required", "address.precision"],

  testValue: ({ body }) => testValueWithin("verifyAddress", "address", body.address),
  prepare: loadReader,

  handle(call) {
    const { account, assumptions, body, decision, prepared, cost, refuse } = call;
    const country = body.country.toUpperCase();
    if (!countries.has(country)) {
      const message = `country must be ${countryRule}; ${JSON.stringify(body.country)} is not.`;
      refuse("validation_error", { param: "country", message });
    }
    const isInNigeria = country === "NG";
    const reading = isInNigeria
      ? prepared.readAddress(body.address)
      : prepared.readAddress(body.address, null);
    const own = prepared.precisionOf(reading);
    const precision = decision.by === "default" ? own : precisionFor(call.outcome, own);
    if (decision.by === "default" && outcomesByPrecision[own] !== decision.outcome)
      decideOutcome(call, outcomesByPrecision[own], "address");
    const position = positionAt(precision, reading, prepared);
    const standsIn = position === null && assumptions["address.unknown_position"] === "numbers";
    const check = account.records.start(addressCheck, "look_up", {
      submitted: body.address,
      formatted: reading.formatted,
      latitude: position?.latitude ?? null,
      longitude: position?.longitude ?? null,
      ...(standsIn && { stand_in_position: isInNigeria ? middleOfNigeria : nullIsland }),
      precision,
      full_name: body.full_name,
      country,
      radius_m: body.radius_m ?? 200,
      reference: body.reference ?? null,
      address_exists: existenceCheck(precision),
      location: notProvided,
      document: notProvided,
      expires_at: account.clock.now() + confirmLinkLifetimeMs,
      cost,
      is_test: !account.live,
    });
    const { created_at } = check;
    return {
      ...addressCheck.view(check, account),
      ...(assumptions["verification.reply_fields"] === "all" && { created_at }),
    };
  },
});

export const submitAddressLocation = operation({
  id: "submitAddressLocation",
  route: "POST /v1/verify/address/{id}/location",
  summary: "Submit the location of the person",
  description: "For mobile apps, in place of confirm_url. Free. The location replaces an earlier one.",
  auth: "key",
  params: Type.Object({ id: Type.String({ description: "Id of the verification" }) }),
  body: AddressLocationBody,
  reply: { 200: AddressLocationResult },
  refuses: ["resource_not_found", "invalid_state", "link_expired"],
  emits: addressCheck.events,
  assumptions: ["address.required", "verification.payload"],

  handle({ account, params, body }) {
    const check = requireOpenCheck(account, params.id);
    account.records.move(addressCheck, check, "locate", locate(body, check));
    const { id, type, status, match, confidence_score, checks } = addressCheck.view(check, account);
    return { id, type, status, match, confidence_score, checks };
  },
});

/** Outcomes of reading a document. */
const outcomes = {
  match: "address and name agree: 20 points",
  address_mismatch: "the document shows another address: no points",
  name_mismatch: "the address agrees and the name does not: 10 points",
};
type DocumentOutcome = keyof typeof outcomes;

const readings: Readonly<Record<DocumentOutcome, DocumentReading>> = {
  match: { address_match: 96, name_match: true },
  address_mismatch: { address_match: 28, name_match: true },
  name_mismatch: { address_match: 96, name_match: false },
};

/** Reads the document of the known person whose face the file name contains, if any; assumption people.faces. */
function readKnownDocument(
  account: Account,
  filename: string,
  check: AddressCheckRecord,
  { readAddress, addressSimilarity }: Reader,
): DocumentReading | null {
  const shown = findPersonByFace(account, filename);
  if (!shown) return null;
  return {
    address_match: addressSimilarity(readAddress(check.submitted), readAddress(shown.person.address)),
    name_match: nameSimilarity(check.full_name, fullName(shown.person)) >= minDocumentSimilarity,
  };
}

const outcomeOf = ({ address_match, name_match }: DocumentReading): DocumentOutcome =>
  address_match < minDocumentSimilarity ? "address_mismatch" : name_match ? "match" : "name_mismatch";

export const submitAddressDocument = operation({
  id: "submitAddressDocument",
  route: "POST /v1/verify/address/{id}/document",
  summary: "Submit a utility bill or bank statement",
  description: "The address and name are compared with those submitted, and the image is discarded.",
  auth: "key",
  params: Type.Object({ id: Type.String({ description: "Id of the verification" }) }),
  upload: {
    file: {
      maxMB: 15,
      maxPixels: maxPhotoPixels,
      types: ["image/png", "image/jpeg", "image/webp", "application/pdf"],
      description: "Photo or scan of a utility bill or bank statement",
    },
  },
  reply: { 200: AddressDocumentResult },
  refuses: ["resource_not_found", "invalid_state", "link_expired"],
  outcomes,
  emits: addressCheck.events,
  assumptions: ["address.required", "verification.payload", "people.faces", "uploads.limits"],

  testValue: ({ files }) => testValueWithin("submitAddressDocument", "file name", files.file.filename),
  prepare: loadReader,

  handle(call) {
    const { account, params, files, decision, prepared } = call;
    const check = requireOpenCheck(account, params.id);
    const known =
      decision.by === "default" ? readKnownDocument(account, files.file.filename, check, prepared) : null;
    if (known) decideOutcome(call, outcomeOf(known));
    const reading = known ?? readings[call.outcome];
    const document_type = documentTypeOf(files.file.filename);
    const compared = compareDocument({ ...reading, document_type }, check, account);
    account.records.move(addressCheck, check, "document", compared);
    const { id, type, status, confidence_score, checks } = addressCheck.view(check, account);
    return { id, type, status, confidence_score, checks: { document: { ...reading, ...checks.document } } };
  },
});

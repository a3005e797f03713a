/** Words and separators of Nigerian addresses. */

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
  type AddressCheckFields,
  AddressDocumentResult,
  AddressLocationBody,
  AddressLocationResult,
  addressCheck,
  compareDocument,
  confirmLinkLifetimeMs,
  documentTypeOf,
  locate,
  requireOpenCheck,
  viewResult,
} from "./check.js";
import {
  addressPosition,
  addressSimilarity,
  existencePoints,
  type Place,
  readAddress,
} from "./parse-address.js";
import {
  type DocumentReading,
  existenceCheck,
  minDocumentSimilarity,
  notProvided,
  type Position,
} from "./score.js";

// Looks up an address: how much of it is known, and its position. Assumptions address.points, address.precision.

const addressOutcomes = {
  found: "the address is found: 40 points with a house number, 30 with the street only",
  town_only: "only the town is found: 15 points",
  not_found: "nothing is found: 0 points",
};
export type AddressOutcome = keyof typeof addressOutcomes;

export interface AddressLookup {
  outcome: AddressOutcome;
  points: 0 | 15 | 30 | 40;
  formatted: string;
  /** Null if nothing is found. */
  position: Position | null;
  precision: "house" | "street" | "town" | "unknown";
}

const precisions = { 40: "house", 30: "street", 15: "town", 0: "unknown" } as const;

/** Place of an address that must be found but names no known place. */
const fallbackPlace: Place = {
  kind: "town",
  name: "Abuja",
  state: "Federal Capital Territory",
  latitude: 9.057,
  longitude: 7.4951,
};

/** Finds the place that the address names. The gazetteer covers Nigeria only; it is loaded when first used. */
async function findPlaceIn(address: string, country: string): Promise<Place | null> {
  if (country.toUpperCase() !== "NG") return null;
  const { findPlace } = await import("./gazetteer.js");
  return findPlace(address);
}

/**
 * Looks up an address in a place. `requested` is the requested outcome; null means that the address determines the
 * outcome.
 */
function lookUpAddress(
  address: string,
  place: Place | null,
  requested: AddressOutcome | null,
): AddressLookup {
  const reading = readAddress(address, place);
  const own = existencePoints(reading);
  const points =
    requested === null ? own : requested === "found" ? foundPoints(own) : requested === "town_only" ? 15 : 0;
  const street = points === 15 ? null : reading.street;
  const position = points === 0 ? null : addressPosition({ ...reading, street }, place ?? fallbackPlace);
  return {
    outcome: points === 0 ? "not_found" : points === 15 ? "town_only" : "found",
    points,
    formatted: reading.formatted,
    position,
    precision: precisions[points],
  };
}

/** Returns the points of an address that must be found; one that cannot be found counts as found in full. */
const foundPoints = (own: 0 | 15 | 30 | 40): 30 | 40 => (own === 30 ? 30 : 40);

// The three operations of an address check.

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

/** Returns whether the text is a country code, in either case. */
const isCountryCode = (text: string): boolean => countries.has(text.toUpperCase());

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
  refuses: ["validation_error", "insufficient_balance"],
  outcomes: addressOutcomes,
  price: "address",
  assumptions: ["address.required", "address.points", "address.precision"],

  testValue: ({ body }) => testValueWithin("verifyAddress", "address", body.address),
  prepare: ({ body }) => findPlaceIn(body.address, body.country),

  handle(call) {
    const { account, assumptions, body, decision, outcome, prepared, cost, refuse } = call;
    if (!isCountryCode(body.country)) {
      const message = `country must be ${countryRule}; ${JSON.stringify(body.country)} is not.`;
      refuse("validation_error", { param: "country", message });
    }
    const found = lookUpAddress(body.address, prepared, decision.by === "default" ? null : outcome);
    if (decision.by === "default" && found.outcome !== decision.outcome) {
      decideOutcome(call, found.outcome, "address");
    }
    const check = account.records.start(addressCheck, "look_up", {
      submitted: body.address,
      formatted: found.formatted,
      latitude: found.position?.latitude ?? null,
      longitude: found.position?.longitude ?? null,
      ...(!found.position &&
        assumptions["address.unknown_position"] === "numbers" && {
          stand_in_position: body.country.toUpperCase() === "NG" ? middleOfNigeria : nullIsland,
        }),
      precision: found.precision,
      full_name: body.full_name,
      country: body.country.toUpperCase(),
      radius_m: body.radius_m ?? 200,
      reference: body.reference ?? null,
      address_exists: existenceCheck(found.points),
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
  assumptions: ["address.required", "address.points", "verification.payload"],

  handle({ account, params, body }) {
    const check = requireOpenCheck(account, params.id);
    account.records.move(addressCheck, check, "locate", locate(body, check));
    return viewResult(check);
  },
});

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
  check: AddressCheckFields,
  findPlace: (address: string) => Place | null,
): DocumentReading | null {
  const shown = findPersonByFace(account, filename);
  if (!shown) return null;
  const [submitted, written] = [check.submitted, shown.person.address].map((address) =>
    readAddress(address, findPlace(address)),
  );
  return {
    address_match: submitted && written ? addressSimilarity(submitted, written) : 0,
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
  assumptions: [
    "address.required",
    "address.points",
    "verification.payload",
    "people.faces",
    "uploads.limits",
  ],

  testValue: ({ files }) => testValueWithin("submitAddressDocument", "file name", files.file.filename),
  prepare: async () => (await import("./gazetteer.js")).findPlace,

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
    const { id, type, status, confidence_score, checks } = viewResult(check);
    return { id, type, status, confidence_score, checks: { document: { ...reading, ...checks.document } } };
  },
});

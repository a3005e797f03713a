import * as Type from "typebox";
import { coded, notBlank } from "../../contract/schemas.js";
import { decideOutcome, operation } from "../operation.js";
import { testValueWithin } from "../test-values.js";
import { addressOutcomes, findPlaceIn, lookUpAddress } from "./address-lookup.js";
import { existenceCheck, notProvided } from "./checks.js";
import type { Position } from "./distance.js";
import { addressCheck, confirmLinkLifetimeMs } from "./machine.js";
import { AddressCheck } from "./schemas.js";

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

/** Interface: "Address check" in States and transitions. The score decides the next state. */
import type { Static } from "typebox";
import { hour, toIso } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import { type Kobo, toNaira } from "../../world/money/money.js";
import type { Stored } from "../../world/records/machine.js";
import { machine } from "../machine.js";
import { inputField, readNumber, refuseInput } from "../move-input.js";
import { signalsOf } from "./address-signals.js";
import { type Bill, readBill } from "./bill.js";
import {
  type Checks,
  type DocumentReading,
  documentCheck,
  type Location,
  locationCheck,
  resultOf,
  scoreOf,
} from "./checks.js";
import type { Position } from "./distance.js";
import { AddressStatus } from "./schemas.js";

/** Time until confirm_url expires; assumption address.required. */
export const confirmLinkLifetimeMs = 72 * hour;

export interface AddressCheckFields extends Checks {
  submitted: string;
  formatted: string;
  latitude: number | null;
  longitude: number | null;
  /** Shown for an address that is not found, and never measured from. Omitted under the switch `null`. */
  stand_in_position?: Position;
  precision: string;
  full_name: string;
  country: string;
  radius_m: number;
  reference: string | null;
  /** Omitted until a document has been submitted. */
  bill?: Bill;
  /** Ms on the account's clock. */
  expires_at: number;
  cost: Kobo;
  is_test: boolean;
}

export type AddressCheckRecord = Stored<AddressCheckFields, Static<typeof AddressStatus>>;

/** Returns the position of the address, or null if it was not found. */
export const positionOf = ({ latitude, longitude }: AddressCheckFields): Position | null =>
  latitude === null || longitude === null ? null : { latitude, longitude };

/** Returns the result of a location, from the input of the move `locate`. */
export const locate = (given: unknown, record: AddressCheckRecord) => {
  const position = positionOf(record);
  return { location: locationCheck(position, record.radius_m, readLocation(given, position)) };
};

/** Returns the result of a document, from the input of the move `document`. */
export const compareDocument = (given: unknown, record: AddressCheckRecord, account: Account) => ({
  document: documentCheck(readAddressDocument(given)),
  bill: readBill(record, account, given),
});

const results: Readonly<Record<AddressCheckRecord["state"], string>> = {
  pending: "the check is pending",
  verified: "it is verified",
  review: "it needs a review",
  failed: "it is not verified",
};

/** Formats what a piece of evidence led to. */
const describeResult = (evidence: string, { full_name, formatted, state }: AddressCheckRecord): string =>
  `${evidence} for the address of ${full_name}, ${formatted}: ${results[state]}.`;

/** The transition that applies the result of a piece of evidence and rescores the record. */
const rescored = {
  from: ["pending", "review", "failed"],
  to: ["verified", "review", "failed"],
  next: (record: AddressCheckRecord, result: Partial<Checks>) => resultOf({ ...record, ...result }),
  effect(record: AddressCheckRecord, _account: Account, result: Partial<Checks>): void {
    Object.assign(record, result);
  },
  emits: "verification.completed",
} as const;

/** Returns `data` of verification.completed; assumption verification.payload. */
function viewCompleted({ state, address_exists, location, document, formatted, bill }: AddressCheckRecord) {
  return {
    type: "address",
    status: state,
    document_type: bill?.document_type ?? "none",
    checks: {
      address_exists: address_exists.status === "pass",
      location: location.status === "pass",
      document: document.status === "pass",
      ...(bill && { date_recent: bill.date_recent, address_extracted: true }),
    },
    extracted: {
      address: formatted,
      ...(bill && { issuer: bill.issuer, bill_date: bill.bill_date }),
    },
  };
}

/** Returns the fields that every reply about a check begins with. */
export const viewResult = (record: AddressCheckRecord) => ({
  id: record.id,
  type: "address" as const,
  status: record.state,
  match: record.state === "pending" ? null : record.state === "verified",
  confidence_score: scoreOf(record),
  checks: {
    address_exists: record.address_exists,
    location: record.location,
    document: record.document,
  },
});

export const addressCheck = machine<AddressCheckFields>()({
  name: "address_check",
  prefix: "ver_",
  states: AddressStatus.enum,
  moves: {
    look_up: {
      from: "new",
      to: "pending",
      says: ({ full_name, formatted }) =>
        `A check of the address of ${full_name}, ${formatted}, was started.`,
    },
    locate: {
      ...rescored,
      input: locate,
      says: (record) => describeResult("A location was received", record),
    },
    document: {
      ...rescored,
      input: compareDocument,
      says: (record) => describeResult("A document was received", record),
    },
  },
  view: (record, account) => ({
    ...viewResult(record),
    data: null,
    address: {
      submitted: record.submitted,
      formatted: record.formatted,
      ...(record.stand_in_position ?? { latitude: record.latitude, longitude: record.longitude }),
      precision: record.precision,
    },
    signals: signalsOf(record, record.radius_m),
    confirm_url: `${account.baseUrl}/confirm/${account.id}/${record.id}`,
    expires_at: toIso(record.expires_at),
    cost: toNaira(record.cost),
    currency: "NGN" as const,
    is_test: record.is_test,
  }),
  event: (record) => ({ jobId: record.id, data: viewCompleted(record) }),
});

/** Reads the location of the move `locate`. Default: `position`, the known position of the address. */
function readLocation(input: unknown, position: Position | null): Location {
  if (Object.keys((input ?? {}) as object).length === 0 && position) return { ...position, accuracy_m: 10 };
  return {
    latitude: readNumber("latitude", inputField(input, "latitude"), -90, 90),
    longitude: readNumber("longitude", inputField(input, "longitude"), -180, 180),
    accuracy_m: readNumber("accuracy_m", inputField(input, "accuracy_m"), 0, Number.MAX_VALUE),
  };
}

/** Reads what the move `document` says of the document. By default it confirms the address. */
function readAddressDocument(input: unknown): DocumentReading {
  const { address_match = 100, name_match = true } = (input ?? {}) as Partial<DocumentReading>;
  if (typeof name_match !== "boolean") refuseInput("name_match", "true or false", name_match);
  return { address_match: readNumber("address_match", address_match, 0, 100), name_match };
}

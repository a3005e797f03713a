/** Interface: "Address check" in States and transitions. The score decides the next state. */

import { hour, toIso } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import { type Kobo, toNaira } from "../../world/money/money.js";
import { machine, type Stored } from "../../world/records/machine.js";
import { signalsOf } from "./address-signals.js";
import { type Bill, readBill } from "./bill.js";
import { type Checks, documentCheck, locationCheck, resultOf, scoreOf } from "./checks.js";
import type { Position } from "./distance.js";
import { readDocument, readLocation } from "./evidence.js";

/** Time until confirm_url expires; assumption address.required. */
export const confirmLinkLifetimeMs = 72 * hour;

export interface AddressCheckFields extends Checks {
  submitted: string;
  formatted: string;
  latitude: number | null;
  longitude: number | null;
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

type AddressCheckRecord = Stored<AddressCheckFields>;

/** Returns the position of the address, or null if it was not found. */
export const positionOf = ({ latitude, longitude }: AddressCheckFields): Position | null =>
  latitude === null || longitude === null ? null : { latitude, longitude };

const locate = (record: AddressCheckRecord, input: unknown) => {
  const position = positionOf(record);
  return { location: locationCheck(position, record.radius_m, readLocation(input, position)) };
};

const compareDocument = (record: AddressCheckRecord, input: unknown, account: Account) => ({
  document: documentCheck(readDocument(input)),
  bill: readBill(record, account, input),
});

/** Returns the part of a transition that applies a check and rescores the record. */
const scoredBy = (
  check: (record: AddressCheckRecord, input: unknown, account: Account) => Partial<AddressCheckFields>,
) => ({
  to: (record: AddressCheckRecord, input: unknown, account: Account) =>
    resultOf({ ...record, ...check(record, input, account) }),
  oneOf: ["verified", "review", "failed"],
  effect(record: AddressCheckRecord, account: Account, input: unknown): void {
    Object.assign(record, check(record, input, account));
  },
  emits: "verification.completed",
});

const open = ["pending", "review", "failed"];

export const addressCheck = machine<AddressCheckFields, Account>()({
  name: "address_check",
  prefix: "ver_",
  moves: {
    look_up: { from: "new", to: "pending" },
    locate: { from: open, ...scoredBy(locate) },
    document: { from: open, ...scoredBy(compareDocument) },
  },
  view: (record, account) => viewCheck(record, account),
  event: (record) => ({ jobId: record.id, data: viewCompleted(record) }),
});

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
  status: record.state as "pending" | "verified" | "review" | "failed",
  match: record.state === "pending" ? null : record.state === "verified",
  confidence_score: scoreOf(record),
  checks: {
    address_exists: record.address_exists,
    location: record.location,
    document: record.document,
  },
});

/** Returns the whole check, as verifyAddress replies. */
export const viewCheck = (record: AddressCheckRecord, account: Account) => ({
  ...viewResult(record),
  data: null,
  address: {
    submitted: record.submitted,
    formatted: record.formatted,
    latitude: record.latitude,
    longitude: record.longitude,
    precision: record.precision,
  },
  signals: signalsOf(record, record.radius_m),
  confirm_url: `${account.baseUrl}/confirm/${account.id}/${record.id}`,
  expires_at: toIso(record.expires_at),
  cost: toNaira(record.cost),
  currency: "NGN" as const,
  is_test: record.is_test,
});

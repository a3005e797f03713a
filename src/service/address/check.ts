/** Interface: "Address check": the record, and its states and transitions. */

import type { Static } from "typebox";
import * as Type from "typebox";
import { refuse } from "../../contract/errors.js";
import { Currency, DateOnly, exactly, naira, nullable, Timestamp } from "../../contract/schemas.js";
import { Random } from "../../time/random.js";
import { day, fromIso, hour, toIso } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import type { RecordIn } from "../../world/records/machine.js";
import { requireRecord } from "../account-records.js";
import { whileIn } from "../assumptions.js";
import { VerificationId } from "../identity/verification.js";
import { inputField, machine, readNumber, record, refuseInput } from "../machine.js";
import {
  type Checks,
  type DocumentReading,
  documentCheck,
  type Location,
  locationCheck,
  type Position,
  parts,
  ReadDocument,
  resultOf,
  Signal,
  scored,
  scoreOf,
  signalsOf,
} from "./score.js";

// Interface: "Address check" and the replies of its three operations.

const coordinate = nullable(Type.Number(), {
  description: "null if the address is not found",
  ...whileIn(
    "address.unknown_position",
    "numbers",
    Type.Number({ description: "Of the middle of the country if the address is not found" }),
  ),
});

const outline = {
  id: VerificationId,
  type: Type.Literal("address"),
  status: Type.Enum(["pending", "verified", "review", "failed"]),
  confidence_score: Type.Number({ minimum: 0, maximum: 100, description: "Sum of the points", ...scored }),
};

const match = nullable(Type.Boolean(), {
  description: "null while pending, then whether the address is verified",
  ...scored,
});

const checks = exactly(parts);

const addressCheckFields = {
  ...outline,
  match,
  data: Type.Null({
    description: "Always null; address checks have address, checks and signals instead",
    "x-assumption": "replies",
  }),
  address: exactly({
    submitted: Type.String({ description: "The address as sent" }),
    formatted: Type.String({ description: "Normalised address" }),
    latitude: coordinate,
    longitude: coordinate,
    precision: Type.String({ description: "Label of the location's precision" }),
  }),
  checks,
  signals: Type.Array(Signal),
  confirm_url: Type.String({ format: "uri", description: "To be sent to the person being checked" }),
  expires_at: Timestamp,
  cost: naira(),
  currency: Currency,
  is_test: Type.Boolean(),
};

export const AddressCheck = exactly(
  addressCheckFields,
  whileIn("verification.reply_fields", "all", exactly({ ...addressCheckFields, created_at: Timestamp })),
);

export const AddressLocationBody = Type.Object({
  latitude: Type.Number({ minimum: -90, maximum: 90, examples: [6.5982] }),
  longitude: Type.Number({ minimum: -180, maximum: 180, examples: [3.3521] }),
  accuracy_m: Type.Number({
    minimum: 0,
    description: "Accuracy that the phone reports, in metres",
    examples: [12],
  }),
});

/** The reply to a submitted location. */
export const AddressLocationResult = exactly({ ...outline, match, checks });

/** The reply to a submitted document, which contains only the document's check. */
export const AddressDocumentResult = exactly({ ...outline, checks: exactly({ document: ReadDocument }) });

// The submitted bill or bank statement, as reported by verification.completed; assumption verification.payload.

/** Issuers by document type. */
const issuers = {
  utility_bill: [
    "Ikeja Electric",
    "Eko Electricity Distribution Company",
    "Abuja Electricity Distribution Company",
  ],
  bank_statement: ["Access Bank", "Guaranty Trust Bank", "Zenith Bank"],
} as const;
type DocumentType = keyof typeof issuers;

const Bill = Type.Object({
  document_type: Type.Unsafe<DocumentType>(Type.String()),
  issuer: Type.String(),
  bill_date: DateOnly,
  /** Whether the bill was dated within the last 90 days when it was submitted. */
  date_recent: Type.Boolean(),
});

const maxRecentDays = 90;

/** Returns the type of the document in a file with this name. */
export const documentTypeOf = (filename: string): DocumentType =>
  /statement/i.test(filename) ? "bank_statement" : "utility_bill";

const isDocumentType = (value: unknown): value is DocumentType =>
  typeof value === "string" && Object.hasOwn(issuers, value);

const isDate = (value: unknown): value is string =>
  typeof value === "string" && fromIso(`${value}T00:00:00Z`) !== null;

/** Reads `document_type` and `bill_date` from the input of the move `document`. By default the bill is recent. */
function readBill({ id }: { id: string }, { clock }: Account, input: unknown): Static<typeof Bill> {
  const random = Random.seeded("bill", id);
  const dateBefore = (days: number) => toIso(clock.now() - days * day).slice(0, 10);
  const document_type = inputField(input, "document_type") ?? "utility_bill";
  const bill_date = inputField(input, "bill_date") ?? dateBefore(random.integer(5, 60));
  if (!isDocumentType(document_type))
    return refuseInput("document_type", `one of ${Object.keys(issuers).join(", ")}`, document_type);
  if (!isDate(bill_date)) return refuseInput("bill_date", "a date, such as 2026-01-31", bill_date);
  const issuer = issuers[document_type][random.integer(0, 2)] ?? issuers[document_type][0];
  const date_recent = bill_date >= dateBefore(maxRecentDays) && bill_date <= dateBefore(0);
  return { document_type, issuer, bill_date, date_recent };
}

// Interface: "Address check" in States and transitions. The score decides the next state.

/** Time until confirm_url expires; assumption address.required. */
export const confirmLinkLifetimeMs = 72 * hour;

const known = nullable(Type.Number());

const addressRecord = record(AddressCheck, {
  first: ["id", "type", "status", "match", "confidence_score", "checks"],
  hidden: {
    submitted: Type.String(),
    formatted: Type.String(),
    latitude: known,
    longitude: known,
    /**
     * Position shown for an address that is not found. Distances are never measured from it. Omitted under the switch
     * `null`.
     */
    stand_in_position: Type.Optional(Type.Unsafe<Position>(Type.Object({}))),
    precision: Type.String(),
    full_name: Type.String(),
    country: Type.String(),
    radius_m: Type.Number(),
    reference: nullable(Type.String()),
    ...parts,
    /** Omitted until a document has been submitted. */
    bill: Type.Optional(Bill),
  },
  view: {
    match: ({ state }) => (state === "pending" ? null : state === "verified"),
    confidence_score: (check) => scoreOf(check),
    data: () => null,
    address: ({ submitted, formatted, latitude, longitude, stand_in_position, precision }) => ({
      submitted,
      formatted,
      ...(stand_in_position ?? { latitude, longitude }),
      precision,
    }),
    checks: ({ address_exists, location, document }) => ({ address_exists, location, document }),
    signals: (check) => signalsOf(check, check.radius_m),
    confirm_url: ({ id }, account) => `${account.baseUrl}/confirm/${account.id}/${id}`,
  },
});
export type AddressCheckRecord = RecordIn<typeof addressRecord>;

/** Returns the position of the address, or null if it was not found. */
export const positionOf = ({ latitude, longitude }: AddressCheckRecord): Position | null =>
  latitude === null || longitude === null ? null : { latitude, longitude };

/** Returns the result of a location, given the input of the move `locate`. */
export const locate = (given: unknown, record: AddressCheckRecord) => {
  const position = positionOf(record);
  return { location: locationCheck(position, record.radius_m, readLocation(given, position)) };
};

/** Returns the result of a document, given the input of the move `document`. */
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

/** Formats the result of a piece of evidence. */
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

export const addressCheck = machine(addressRecord, {
  name: "address_check",
  prefix: "ver_",
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

/** Reads the input of the move `document`. By default, the document confirms the address. */
function readAddressDocument(input: unknown): DocumentReading {
  const { address_match = 100, name_match = true } = (input ?? {}) as Partial<DocumentReading>;
  if (typeof name_match !== "boolean") refuseInput("name_match", "true or false", name_match);
  return { address_match: readNumber("address_match", address_match, 0, 100), name_match };
}

/** Returns the check with this id if it still accepts evidence. Refuses an unknown, verified or expired check. */
export function requireOpenCheck(account: Account, id: string): AddressCheckRecord {
  const hint = "use the id returned by POST /v1/verify/address";
  const check = requireRecord(account, addressCheck, { id, param: "id", noun: "address check", hint });
  if (check.state === "verified") {
    refuse("invalid_state", {
      param: "id",
      message: `${id} is already verified and accepts no more evidence.`,
    });
  }
  if (account.clock.now() >= check.expires_at) {
    const message = `The check expired at ${toIso(check.expires_at)}; start a new one with POST /v1/verify/address.`;
    refuse("link_expired", { param: "id", message });
  }
  return check;
}

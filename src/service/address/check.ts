/** Interface: "Address check": the record, and its states and transitions. */

import type { Static } from "typebox";
import * as Type from "typebox";
import { refuse } from "../../contract/errors.js";
import { type Kobo, toNaira } from "../../contract/money.js";
import { Currency, exactly, naira, nullable, Timestamp } from "../../contract/schemas.js";
import { Random } from "../../time/random.js";
import { day, fromIso, hour, toIso } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import { recordOf, type Stored } from "../../world/records/machine.js";
import { requireRecord } from "../account-records.js";
import { whileIn } from "../assumptions.js";
import { VerificationId } from "../identity/verification.js";
import { machine } from "../machine.js";
import { inputField, readNumber, refuseInput } from "../move-input.js";
import {
  type Checks,
  type DocumentReading,
  documentCheck,
  type Location,
  locationCheck,
  type Position,
  resultOf,
  scoreOf,
  signalsOf,
} from "./score.js";

// Interface: "Address check" and the replies of its three operations. Points: assumption address.points.

const points = (maximum: number) => Type.Number({ minimum: 0, maximum });
const scored = { "x-assumption": "address.points" };
const StatusOfCheck = Type.Enum(["pass", "partial", "fail", "not_provided"], scored);
const coordinate = nullable(Type.Number(), {
  description: "null if the address is not found",
  ...whileIn(
    "address.unknown_position",
    "numbers",
    Type.Number({ description: "Of the middle of the country if the address is not found" }),
  ),
});

const AddressExists = exactly({ status: Type.Enum(["pass", "partial", "fail"], scored), points: points(40) });

const LocationPart = exactly({
  status: StatusOfCheck,
  points: points(40),
  distance_m: Type.Optional(Type.Number({ description: "In metres; present once a location is submitted" })),
  accuracy_m: Type.Optional(Type.Number({ description: "In metres; present once a location is submitted" })),
});

const compared = {
  address_match: Type.Number({ minimum: 0, maximum: 100, ...scored }),
  name_match: Type.Boolean(),
};

const DocumentPart = exactly({
  status: StatusOfCheck,
  points: points(20),
  address_match: Type.Optional(compared.address_match),
  name_match: Type.Optional(compared.name_match),
});

const AddressStatus = Type.Enum(["pending", "verified", "review", "failed"]);

const outline = {
  id: VerificationId,
  type: Type.Literal("address"),
  status: AddressStatus,
  confidence_score: Type.Number({ minimum: 0, maximum: 100, description: "Sum of the points", ...scored }),
};

const match = nullable(Type.Boolean(), {
  description: "null while pending, then whether the address is verified",
  ...scored,
});

const checks = exactly({ address_exists: AddressExists, location: LocationPart, document: DocumentPart });

const Signal = exactly(
  { category: Type.String(), severity: Type.String(), title: Type.String(), detail: Type.String() },
  { "x-assumption": "address.signals" },
);

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

/** The reply to a submitted document, which has only its own check. */
export const AddressDocumentResult = exactly({
  ...outline,
  checks: exactly({ document: exactly({ status: StatusOfCheck, points: points(20), ...compared }) }),
});

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

export interface Bill {
  document_type: DocumentType;
  issuer: string;
  /** YYYY-MM-DD. */
  bill_date: string;
  /** Whether the bill was dated within the last 90 days when it was submitted. */
  date_recent: boolean;
}

const maxRecentDays = 90;

/** Returns the type of the document in a file with this name. */
export const documentTypeOf = (filename: string): DocumentType =>
  /statement/i.test(filename) ? "bank_statement" : "utility_bill";

const isDocumentType = (value: unknown): value is DocumentType =>
  typeof value === "string" && Object.hasOwn(issuers, value);

const isDate = (value: unknown): value is string =>
  typeof value === "string" && fromIso(`${value}T00:00:00Z`) !== null;

/** Reads `document_type` and `bill_date` from the input of the move `document`. By default the bill is recent. */
function readBill({ id }: { id: string }, { clock }: Account, input: unknown): Bill {
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

const addressRecord = recordOf<AddressCheckFields>()({
  states: AddressStatus.enum,
  view: (record: AddressCheckRecord, account: Account) => ({
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
});

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

/** Reads what the move `document` says of the document. By default it confirms the address. */
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

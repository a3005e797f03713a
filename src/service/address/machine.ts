/** Interface: "Address check" in States and transitions. The score decides where a move leads. */
import { Refusal } from "../../contract/errors.js";
import type { Account } from "../../world/account.js";
import { machine, type Stored } from "../../world/machine.js";
import { type Kobo, toNaira } from "../../world/money/money.js";
import { hour, toIso } from "../../world/time/time.js";
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
import { signalsOf } from "./signals.js";

/** Assumption address.required. */
export const linkLifetime = 72 * hour;

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
  /** Ms on the account's clock. */
  expires_at: number;
  cost: Kobo;
  is_test: boolean;
}

type Check = Stored<AddressCheckFields>;

const open = ["pending", "review", "failed"];

export const positionOf = ({ latitude, longitude }: AddressCheckFields): Position | null =>
  latitude === null || longitude === null ? null : { latitude, longitude };

const located = (record: Check, input: unknown) =>
  locationCheck(positionOf(record), record.radius_m, readLocation(record, input));

export const addressCheck = machine<AddressCheckFields, Account>()({
  name: "address_check",
  prefix: "ver_",
  moves: {
    look_up: { from: "new", to: "pending" },
    locate: {
      from: open,
      to: (record, input) => resultOf({ ...record, location: located(record, input) }),
      effect: (record, _account, input) => {
        record.location = located(record, input);
      },
      emits: "verification.completed",
    },
    document: {
      from: open,
      to: (record, input) => resultOf({ ...record, document: documentCheck(readDocument(input)) }),
      effect: (record, _account, input) => {
        record.document = documentCheck(readDocument(input));
      },
      emits: "verification.completed",
    },
  },
  view: (record, account) => ({ ...viewResult(record), ...viewRest(record, account) }),
  event: (record) => ({
    jobId: record.id,
    data: {
      type: "address",
      status: record.state,
      checks: {
        address_exists: record.address_exists.status === "pass",
        location: record.location.status === "pass",
        document: record.document.status === "pass",
      },
      extracted: { address: record.formatted },
    },
  }),
});

/** The fields that every reply about a check begins with. */
export const viewResult = (record: Check) => ({
  id: record.id,
  type: "address" as const,
  status: record.state as "pending" | "verified" | "review" | "failed",
  match: record.state === "pending" ? null : record.state === "verified",
  confidence_score: scoreOf(record),
  checks: viewChecks(record),
});

const viewChecks = ({ address_exists, location, document }: Checks) => ({
  address_exists,
  location,
  document,
});

const viewRest = (record: Check, account: Account) => ({
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

/** The whole check, as its creation answers it. */
export const viewCheck = (record: Check, account: Account) => ({
  ...viewResult(record),
  ...viewRest(record, account),
});

const invalid = (param: string, message: string): never => {
  throw new Refusal("validation_error", { param, message });
};

function numberIn(input: object, name: string, least: number, most: number): number {
  const value = (input as Record<string, unknown>)[name];
  if (typeof value === "number" && value >= least && value <= most) return value;
  return invalid(name, `${name} must be a number from ${least} to ${most}.`);
}

/** A move by hand may leave everything out: the person is at the address then. */
function readLocation(record: Check, input: unknown): Location {
  const given = (input ?? {}) as object;
  const position = positionOf(record);
  if (Object.keys(given).length === 0 && position) return { ...position, accuracy_m: 10 };
  return {
    latitude: numberIn(given, "latitude", -90, 90),
    longitude: numberIn(given, "longitude", -180, 180),
    accuracy_m: numberIn(given, "accuracy_m", 0, Number.MAX_VALUE),
  };
}

/** A move by hand may leave everything out: the document agrees then. */
function readDocument(input: unknown): DocumentReading {
  const { address_match = 100, name_match = true } = (input ?? {}) as Partial<DocumentReading>;
  if (typeof name_match !== "boolean") invalid("name_match", "name_match must be true or false.");
  return { address_match: numberIn({ address_match }, "address_match", 0, 100), name_match };
}

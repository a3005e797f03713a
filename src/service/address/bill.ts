/** The submitted bill or bank statement, as reported by verification.completed; assumption verification.payload. */

import { Random } from "../../time/random.js";
import { day, fromIso, toIso } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import { inputField, refuseInput } from "../move-input.js";

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
export function readBill({ id }: { id: string }, { clock }: Account, input: unknown): Bill {
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

import * as Type from "typebox";
import { MB } from "../../contract/schemas.js";
import type { Account } from "../../world/account.js";
import { similarity } from "../identity/name-similarity.js";
import { photoPixels } from "../identity/schemas.js";
import { operation } from "../operation.js";
import { fullName } from "../people/names.js";
import { personShown } from "../people/registry.js";
import { settle } from "../settle.js";
import { testValueWithin } from "../test-values.js";
import { addressSimilarity } from "./address-similarity.js";
import { agrees, type DocumentReading } from "./checks.js";
import { type AddressCheckFields, addressCheck, viewResult } from "./machine.js";
import { openCheck } from "./open-check.js";
import { readAddress } from "./parse-address.js";
import type { Place } from "./places.js";
import { AddressDocumentResult } from "./schemas.js";

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

/** What the document of a known person shows; null when the file name tells of none. Assumption people.faces. */
function readPerson(
  account: Account,
  filename: string,
  check: AddressCheckFields,
  findPlace: (address: string) => Place | null,
): DocumentReading | null {
  const shown = personShown(account, filename);
  if (!shown) return null;
  const [submitted, written] = [check.submitted, shown.person.address].map((address) =>
    readAddress(address, findPlace(address)),
  );
  return {
    address_match: submitted && written ? addressSimilarity(submitted, written) : 0,
    name_match: similarity(check.full_name, fullName(shown.person)) >= agrees,
  };
}

const outcomeOf = ({ address_match, name_match }: DocumentReading): DocumentOutcome =>
  address_match < agrees ? "address_mismatch" : name_match ? "match" : "name_mismatch";

export const submitAddressDocument = operation({
  id: "submitAddressDocument",
  route: "POST /v1/verify/address/{id}/document",
  summary: "Submit a utility bill or bank statement",
  description: "The address and the name are compared and the image is discarded.",
  auth: "key",
  params: Type.Object({ id: Type.String({ description: "The verification's id" }) }),
  upload: {
    file: {
      maxBytes: 15 * MB,
      maxPixels: photoPixels,
      types: ["image/png", "image/jpeg", "image/webp", "application/pdf"],
      description: "Photo or scan of a utility bill or bank statement",
    },
  },
  reply: { 200: AddressDocumentResult },
  refuses: ["resource_not_found", "invalid_state", "link_expired"],
  outcomes,
  emits: ["verification.completed"],
  assumptions: ["address.required", "address.points", "people.faces", "uploads.limits"],

  testValue: ({ files }) =>
    testValueWithin("submitAddressDocument", "file name", files.file.filename) as DocumentOutcome,
  prepare: async () => (await import("./gazetteer.js")).findPlace,

  handle(call) {
    const { account, params, files, decision, prepared } = call;
    const check = openCheck(account, params.id);
    const asked = decision.by !== "default";
    const shown = asked ? null : readPerson(account, files.file.filename, check, prepared);
    if (shown) settle(call, outcomeOf(shown));
    const reading = shown ?? readings[call.outcome];
    account.records.move(addressCheck, check, "document", reading);
    const { id, type, status, confidence_score, checks } = viewResult(check);
    return { id, type, status, confidence_score, checks: { document: { ...reading, ...checks.document } } };
  },
});

import * as Type from "typebox";
import type { Account } from "../../world/account/account.js";
import { nameSimilarity } from "../identity/name-similarity.js";
import { maxPhotoPixels } from "../identity/photos.js";
import { decideOutcome, operation } from "../operation.js";
import { fullName } from "../people/person.js";
import { findPersonByFace } from "../people/registry.js";
import { testValueWithin } from "../test-values.js";
import { addressSimilarity } from "./address-similarity.js";
import { documentTypeOf } from "./bill.js";
import { type DocumentReading, minDocumentSimilarity } from "./checks.js";
import { type AddressCheckFields, addressCheck, compareDocument, viewResult } from "./machine.js";
import { requireOpenCheck } from "./open-check.js";
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

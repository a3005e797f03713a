import { Random } from "../../time/random.js";
import { day, toIso } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import { toNaira } from "../../world/money/money.js";
import { decideOutcome, operation } from "../operation.js";
import { fullName, type Person } from "../people/person.js";
import { findPersonByFace, type Inventor, loadInventor } from "../people/registry.js";
import { testValueWithin } from "../test-values.js";
import { completeVerification } from "./complete-verification.js";
import { verification } from "./machine.js";
import { photo } from "./photos.js";
import { DocumentVerification } from "./schemas.js";

const outcomes = {
  read: "the document is read",
  expired: "the document is read and its expiry_date has passed",
  unreadable: "the photo cannot be read: document_unreadable",
};

/** Authority that issues each document. */
const issuers = {
  drivers_licence: "Federal Road Safety Corps",
  national_id: "National Identity Management Commission",
} as const;

interface IdDocument {
  document_type: keyof typeof issuers;
  document_number: string;
  /** YYYY-MM-DD. */
  expiry_date: string;
}

/** Returns a person's licence, or the national ID of a person without one. Its expiry date is the same for every photo. */
function documentOf({ licence, nin }: Person, seed: string): IdDocument {
  if (licence) {
    const { number, expiry_date } = licence;
    return { document_type: "drivers_licence", document_number: number, expiry_date };
  }
  const random = Random.seeded(seed, "national id", nin);
  const expiry_date = `${random.integer(2031, 2036)}-0${random.integer(1, 9)}-${random.integer(10, 28)}`;
  return { document_type: "national_id", document_number: nin, expiry_date };
}

/** Invents the holder of a document that shows no known person. A lookup of its number finds the same person. */
function inventHolder({ inventPerson, personBehind }: Inventor, random: Random, seed: string): Person {
  const { licence } = inventPerson(random);
  return personBehind(seed, "licence", licence?.number ?? "");
}

/** Returns the date that is `days` after today on the account's clock; before today if negative. */
const dateAfter = ({ clock }: Account, days: number): string => toIso(clock.now() + days * day).slice(0, 10);

export const verifyDocument = operation({
  id: "verifyDocument",
  route: "POST /v1/verify/document",
  summary: "Read an ID document",
  description: "Returns the name, number and expiry date on the document.",
  auth: "key",
  isHarmless: true,
  upload: { file: photo("Photo of the ID document") },
  reply: { 200: DocumentVerification },
  refuses: ["document_unreadable", "insufficient_balance"],
  outcomes,
  price: "document",
  emits: verification.events,
  assumptions: ["verification.webhooks", "verification.payload", "people.faces", "uploads.limits"],

  testValue: ({ files }) => testValueWithin("verifyDocument", "file name", files.file.filename),
  prepare: loadInventor,

  handle(call) {
    const { account, files, decision, prepared, refuse, cost } = call;
    if (call.outcome === "unreadable") {
      refuse("document_unreadable", {
        param: "file",
        message: "The document cannot be read; upload a sharp photo of the whole document.",
        byOutcome: true,
      });
    }
    const { seed } = account.origin;
    const random = Random.seeded(seed, "document", files.file.sha256);
    const known = findPersonByFace(account, files.file.filename)?.person;
    const person = known ?? inventHolder(prepared, random, seed);
    const { document_type, document_number, expiry_date: ownExpiry } = documentOf(person, seed);
    const hasExpired = ownExpiry < account.clock.today();
    if (decision.by === "default" && (known || hasExpired))
      decideOutcome(call, hasExpired ? "expired" : "read");
    const expired = call.outcome === "expired";
    const expiry_date =
      hasExpired === expired ? ownExpiry : dateAfter(account, random.integer(30, 1500) * (expired ? -1 : 1));
    const data = { full_name: fullName(person), document_number, expiry_date };
    const completed = completeVerification(call, {
      type: "document",
      status: "success",
      match: null,
      confidence_score: null,
      identifier: document_number,
      cost,
      completed: {
        document_type,
        checks: { readable: true, not_expired: !expired, address_extracted: true },
        extracted: {
          full_name: data.full_name,
          address: person.address,
          issuer: issuers[document_type],
          expiry_date,
        },
      },
    });
    return { ...completed, data, cost: toNaira(cost) };
  },
});

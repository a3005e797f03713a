import type { Account } from "../../world/account.js";
import { toNaira } from "../../world/money/money.js";
import { Random } from "../../world/time/random.js";
import { day, toIso } from "../../world/time/time.js";
import { operation } from "../operation.js";
import { type Inventor, loadInventor } from "../people/inventor.js";
import { fullName } from "../people/names.js";
import type { Person } from "../people/person.js";
import { personShown } from "../people/registry.js";
import { settle } from "../settle.js";
import { testValueWithin } from "../test-values.js";
import { keepPhotoCheck } from "./photos.js";
import { DocumentVerification, photo } from "./schemas.js";

const outcomes = {
  read: "the document is read",
  expired: "the document is read and its expiry_date has passed",
  unreadable: "the photo cannot be read, document_unreadable",
};
type DocumentOutcome = keyof typeof outcomes;

/** A person's licence, or the national ID of one who has none: it ends on one day, whatever photo shows it. */
function documentOf({ licence, nin }: Person, seed: string) {
  if (licence) {
    const { number, expiry_date } = licence;
    return { document_type: "drivers_licence", document_number: number, expiry_date };
  }
  const random = Random.seeded(seed, "national id", nin);
  const expiry_date = `${random.integer(2031, 2036)}-0${random.integer(1, 9)}-${random.integer(10, 28)}`;
  return { document_type: "national_id", document_number: nin, expiry_date };
}

/** Whom a photo of nobody known shows: the person behind the number on it, so that a look-up of it agrees. */
function unknownHolder({ inventPerson, personBehind }: Inventor, random: Random, seed: string): Person {
  const { licence } = inventPerson(random);
  return personBehind(seed, "licence", licence?.number ?? "");
}

/** A date on the account's clock, so many days on or back. */
const dayFrom = ({ clock }: Account, days: number): string => toIso(clock.now() + days * day).slice(0, 10);

export const verifyDocument = operation({
  id: "verifyDocument",
  route: "POST /v1/verify/document",
  summary: "Read an ID document",
  auth: "key",
  upload: { file: photo("Photo of the ID document") },
  reply: { 200: DocumentVerification },
  refuses: ["document_unreadable", "insufficient_balance"],
  outcomes,
  price: "document",
  emits: ["verification.completed"],
  assumptions: ["verification.webhooks", "people.faces", "uploads.limits"],

  testValue: ({ files }) =>
    testValueWithin("verifyDocument", "file name", files.file.filename) as DocumentOutcome,
  prepare: loadInventor,

  handle(call) {
    const { account, files, decision, prepared, refuse, cost } = call;
    if (call.outcome === "unreadable") {
      refuse("document_unreadable", {
        param: "file",
        message: "The document cannot be read; send a sharp photo of the whole document.",
      });
    }
    const { seed } = account.origin;
    const random = Random.seeded(seed, "document", files.file.sha256);
    const known = personShown(account, files.file.filename)?.person;
    const person = known ?? unknownHolder(prepared, random, seed);
    const { document_type, document_number, expiry_date: own } = documentOf(person, seed);
    const isOver = own < account.clock.today();
    if (decision.by === "default" && (known || isOver)) settle(call, isOver ? "expired" : "read");
    const expired = call.outcome === "expired";
    const fits = isOver === expired;
    const expiry_date = fits ? own : dayFrom(account, random.integer(30, 1500) * (expired ? -1 : 1));
    const data = { full_name: fullName(person), document_number, expiry_date };
    const check = {
      type: "document",
      match: null,
      confidence_score: null,
      identifier: document_number,
      document_type,
      checks: { readable: true, not_expired: !expired },
      extracted: { full_name: data.full_name, expiry_date },
      cost,
    } as const;
    return { ...keepPhotoCheck(account, check), data, cost: toNaira(cost) };
  },
});

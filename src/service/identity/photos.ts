/** Checks of photos: an ID document, a selfie, and whether both show one person. */

import { toNaira } from "../../contract/money.js";
import type { UploadField } from "../../contract/upload.js";
import { Random } from "../../time/random.js";
import { day, toIso } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import { decideOutcome, operation } from "../operation.js";
import { fullName, type Person } from "../people/person.js";
import { findPersonByFace, type Inventor, loadInventor } from "../people/registry.js";
import { testValueWithin } from "../test-values.js";
import {
  completeVerification,
  DocumentVerification,
  FaceMatchVerification,
  LivenessVerification,
  verification,
} from "./verification.js";

// Uploaded photos of a person or an ID document: their limits and their score.

/**
 * Maximum number of pixels: enough for the largest phone cameras (16,320 × 12,240), and too few for a decompression
 * bomb.
 */
export const maxPhotoPixels = 200_000_000;

/** Describes the upload field of a photo, which is inspected and then discarded. */
export const photo = (description: string): UploadField => ({
  maxMB: 15,
  maxPixels: maxPhotoPixels,
  types: ["image/png", "image/jpeg", "image/webp"],
  description,
});

/** Returns a score from `min` to `max`. The same files get the same score on every account. */
const photoScore = (min: number, max: number, ...hashes: readonly string[]): number =>
  Random.seeded("photo", ...hashes).integer(min, max);

const documentOutcomes = {
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
  /** Expiry date, as YYYY-MM-DD. */
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
  refuses: ["document_unreadable"],
  outcomes: documentOutcomes,
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

const livenessOutcomes = {
  live: "a live person: confidence_score 75 or more",
  spoof: "a photo, screen or mask: confidence_score below 75",
};

export const verifyLiveness = operation({
  id: "verifyLiveness",
  route: "POST /v1/verify/liveness",
  summary: "Check that a selfie shows a live person",
  description: "A confidence_score of 75 or more is live.",
  auth: "key",
  isHarmless: true,
  upload: { file: photo("Selfie") },
  reply: { 200: LivenessVerification },
  outcomes: livenessOutcomes,
  price: "liveness",
  emits: verification.events,
  assumptions: ["verification.webhooks", "verification.payload", "uploads.limits"],

  testValue: ({ files }) => testValueWithin("verifyLiveness", "file name", files.file.filename),

  handle(call) {
    const { files, outcome, cost } = call;
    const live = outcome === "live";
    const confidence_score = photoScore(live ? 80 : 5, live ? 99 : 60, files.file.sha256);
    const completed = completeVerification(call, {
      type: "liveness",
      status: "success",
      match: null,
      confidence_score,
      identifier: null,
      cost,
      completed: { document_type: "selfie", checks: { live }, extracted: {} },
    });
    return { ...completed, confidence_score, data: null, cost: toNaira(cost) };
  },
});

const faceMatchOutcomes = {
  match: "both photos show the same person",
  no_match: "the photos show different people: match false",
};

export const verifyFaceMatch = operation({
  id: "verifyFaceMatch",
  route: "POST /v1/verify/face-match",
  summary: "Compare a selfie with an ID photo",
  description: "Returns whether both pictures show the same person, and a confidence_score.",
  auth: "key",
  isHarmless: true,
  upload: { selfie: photo("Selfie"), id_photo: photo("ID photo") },
  reply: { 200: FaceMatchVerification },
  outcomes: faceMatchOutcomes,
  price: "face_match",
  emits: verification.events,
  assumptions: ["verification.webhooks", "verification.payload", "people.faces", "uploads.limits"],

  testValue: ({ files }) =>
    testValueWithin("verifyFaceMatch", "file name", files.selfie.filename) ??
    testValueWithin("verifyFaceMatch", "file name", files.id_photo.filename),

  handle(call) {
    const { account, files, decision, cost } = call;
    const [selfie, idPhoto] = [files.selfie, files.id_photo].map(({ filename }) =>
      findPersonByFace(account, filename),
    );
    if (decision.by === "default" && selfie && idPhoto) {
      decideOutcome(call, selfie.person.bvn === idPhoto.person.bvn ? "match" : "no_match");
    }
    const match = call.outcome === "match";
    const [min, max] = match ? [88, 99] : [4, 38];
    const confidence_score = photoScore(min, max, files.selfie.sha256, files.id_photo.sha256);
    const completed = completeVerification(call, {
      type: "face_match",
      status: "success",
      match,
      confidence_score,
      identifier: null,
      cost,
      completed: { document_type: "id_photo", checks: { same_person: match }, extracted: {} },
    });
    return { ...completed, confidence_score, data: null, cost: toNaira(cost) };
  },
});

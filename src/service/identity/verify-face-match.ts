import { toNaira } from "../../world/money/money.js";
import { decideOutcome, operation } from "../operation.js";
import { findPersonByFace } from "../people/registry.js";
import { testValueWithin } from "../test-values.js";
import { completeVerification } from "./complete-verification.js";
import { verification } from "./machine.js";
import { photo, photoScore } from "./photos.js";
import { FaceMatchVerification } from "./schemas.js";

const outcomes = {
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
  refuses: ["insufficient_balance"],
  outcomes,
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

import { toNaira } from "../../world/money/money.js";
import { operation } from "../operation.js";
import { personShown } from "../people/registry.js";
import { settle } from "../settle.js";
import { testValueWithin } from "../test-values.js";
import { keepPhotoCheck, scoreBetween } from "./photos.js";
import { FaceMatchVerification, photo } from "./schemas.js";

const outcomes = {
  match: "both show the same person",
  no_match: "they show different people: match false",
};
type FaceOutcome = keyof typeof outcomes;

export const verifyFaceMatch = operation({
  id: "verifyFaceMatch",
  route: "POST /v1/verify/face-match",
  summary: "Compare a selfie with the photo of an ID",
  auth: "key",
  upload: { selfie: photo("Selfie"), id_photo: photo("Photo of the ID") },
  reply: { 200: FaceMatchVerification },
  refuses: ["insufficient_balance"],
  outcomes,
  price: "face_match",
  emits: ["verification.completed"],
  assumptions: ["verification.webhooks", "people.faces", "uploads.limits"],

  testValue: ({ files }) =>
    (testValueWithin("verifyFaceMatch", "file name", files.selfie.filename) ??
      testValueWithin("verifyFaceMatch", "file name", files.id_photo.filename)) as FaceOutcome,

  handle(call) {
    const { account, files, decision, cost } = call;
    const [selfie, idPhoto] = [files.selfie, files.id_photo].map(({ filename }) =>
      personShown(account, filename),
    );
    if (decision.by === "default" && selfie && idPhoto) {
      settle(call, selfie.person.bvn === idPhoto.person.bvn ? "match" : "no_match");
    }
    const match = call.outcome === "match";
    const confidence_score = scoreBetween(
      match ? 88 : 4,
      match ? 99 : 38,
      files.selfie.sha256,
      files.id_photo.sha256,
    );
    const check = {
      type: "face_match",
      match,
      confidence_score,
      checks: { same_person: match },
      extracted: {},
      cost,
    } as const;
    return { ...keepPhotoCheck(account, check), confidence_score, data: null, cost: toNaira(cost) };
  },
});

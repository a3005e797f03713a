import { operation } from "../operation.js";
import { FaceMatchVerification, photo } from "./schemas.js";

export const verifyFaceMatch = operation({
  id: "verifyFaceMatch",
  route: "POST /v1/verify/face-match",
  summary: "Compare a selfie with the photo of an ID",
  auth: "key",
  upload: { selfie: photo("Selfie"), id_photo: photo("Photo of the ID") },
  reply: { 200: FaceMatchVerification },
  refuses: ["insufficient_balance"],
  outcomes: {
    match: "both show the same person",
    no_match: "they show different people: match false",
  },
  price: "face_match",
  emits: ["verification.completed"],
  assumptions: ["verification.webhooks", "uploads.limits"],
});

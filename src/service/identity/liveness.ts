import { operation } from "../operation.js";
import { LivenessVerification, photo } from "./schemas.js";

export const verifyLiveness = operation({
  id: "verifyLiveness",
  route: "POST /v1/verify/liveness",
  summary: "Check that a selfie shows a live person",
  auth: "key",
  upload: { file: photo("Selfie") },
  reply: { 200: LivenessVerification },
  refuses: ["insufficient_balance"],
  outcomes: {
    live: "a live person: confidence_score 75 or more",
    spoof: "a photo, screen or mask: confidence_score below 75",
  },
  price: "liveness",
  emits: ["verification.completed"],
  assumptions: ["verification.webhooks", "uploads.limits"],
});

import { toNaira } from "../../world/money/money.js";
import { operation } from "../operation.js";
import { testValueWithin } from "../test-values.js";
import { completeVerification } from "./complete-verification.js";
import { verification } from "./machine.js";
import { photo, photoScore } from "./photos.js";
import { LivenessVerification } from "./schemas.js";

const outcomes = {
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
  refuses: ["insufficient_balance"],
  outcomes,
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

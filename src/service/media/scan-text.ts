import * as Type from "typebox";
import { coded } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { scan } from "./machine.js";
import { TextScan } from "./schemas.js";
import { measureText, textFindings } from "./text-signals.js";
import { saveScan, scanOutcomes } from "./verdict.js";

/** Name of the simulated classifier. */
const classifier_model = "standin-text-1";

const minCharacters = 800;
/** Completes the sentence "text must be ...". */
const lengthRule = `at least ${minCharacters} characters long`;

/** Halves of a surrogate pair without the other half, which are no characters. */
const loneSurrogates = /\p{Surrogate}/gu;

/** Repeated to reach the minimum length. */
const exampleText = "The market opens at six, when the first lorries arrive with yams, peppers and fish. "
  .repeat(10)
  .trim();

export const scanText = operation({
  id: "scanText",
  route: "POST /v1/media-scan/text",
  summary: "Scan a text for AI generation",
  description: "The first scan of an account is free.",
  auth: "key",
  isHarmless: true,
  body: Type.Object({
    text: Type.String({
      minLength: minCharacters,
      description: "Spaces at the beginning and the end do not count",
      examples: [exampleText],
      ...coded("text_too_short", lengthRule),
    }),
  }),
  reply: { 201: TextScan },
  refuses: ["text_too_short", "insufficient_balance"],
  outcomes: scanOutcomes,
  price: "media_text",
  freeFirst: ["media_text"],
  assumptions: ["media.verdicts", "media.signals"],

  handle(call) {
    const text = call.body.text.replace(loneSurrogates, "").trim();
    const text_char_count = [...text].length;
    if (text_char_count < minCharacters) {
      const message = `text must be ${lengthRule}; without spaces at its ends it has ${text_char_count}.`;
      call.refuse("text_too_short", { param: "text", message });
    }
    const findings = textFindings(measureText(text));
    const own = { classifier_model, text_char_count };
    return scan.view(saveScan(call, "text", findings, own)) as Type.Static<typeof TextScan>;
  },
});

import * as Type from "typebox";
import { coded } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { scanOutcomes } from "./outcomes.js";
import { TextScan } from "./schemas.js";

export const scanText = operation({
  id: "scanText",
  route: "POST /v1/media-scan/text",
  summary: "Scan a text for AI generation",
  description: "The first scan of an account is free.",
  auth: "key",
  body: Type.Object({
    text: Type.String({ minLength: 800, ...coded("text_too_short", "at least 800 characters long") }),
  }),
  reply: { 201: TextScan },
  refuses: ["text_too_short", "insufficient_balance"],
  outcomes: scanOutcomes,
  price: "media_text",
});

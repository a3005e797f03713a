/** `standin drift --questions`: prints what no run can see. */
import { formatQuestions, openQuestions } from "../../drift/questions.js";
import { print } from "../output/print.js";
import type { DriftFlags } from "./flags.js";

export function printQuestions({ json }: DriftFlags): void {
  const questions = openQuestions();
  print(json ? `${JSON.stringify({ questions })}\n` : formatQuestions(questions));
}

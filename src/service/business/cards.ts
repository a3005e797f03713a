/** The test cards (fixtures/test-cards.json) and what comes of them at a checkout. No other card is taken. */
import fixture from "../../../fixtures/test-cards.json" with { type: "json" };
import { refuse } from "../../contract/errors.js";

export type DeclineCode = "card_declined" | "insufficient_funds" | "expired_card" | "authentication_failed";
export type CardResult = "paid" | "second_step" | DeclineCode;

export interface TestCard {
  number: string;
  result: Exclude<CardResult, "authentication_failed">;
  /** What becomes of a refund to it. */
  refund: "processed" | "failed";
  /** For people. */
  note: string;
}

export const testCards = fixture.cards as readonly TestCard[];

/** Spaces and hyphens do not count. A number that is none of ours is not repeated: it may be a real one. */
export function readCard(number: unknown): TestCard {
  const digits = typeof number === "string" ? number.replace(/[\s-]/g, "") : "";
  const card = testCards.find((candidate) => candidate.number === digits);
  if (card) return card;
  const known = testCards.map((candidate) => candidate.number).join(", ");
  const message = `card must be one of the test cards: ${known}. Never enter a real card here.`;
  return refuse("validation_error", { param: "card", message });
}

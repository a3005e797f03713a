/** The test cards (fixtures/test-cards.json) and their results at a checkout. No other card is accepted. */
import fixture from "../../../fixtures/test-cards.json" with { type: "json" };
import { refuse } from "../../contract/errors.js";

export type DeclineCode = "card_declined" | "insufficient_funds" | "expired_card" | "authentication_failed";
export type CardResult = "paid" | "second_step" | DeclineCode;

export interface TestCard {
  number: string;
  result: Exclude<CardResult, "authentication_failed">;
  /** Outcome of refunds to this card. */
  refund: "processed" | "failed";
  note: string;
}

export const testCards = fixture.cards as readonly TestCard[];

/**
 * Returns the test card with this number, ignoring spaces and hyphens. The error for any other number does not quote it, as
 * it may be a real card.
 */
export function readCard(number: unknown): TestCard {
  const digits = typeof number === "string" ? number.replace(/[\s-]/g, "") : "";
  const card = testCards.find((candidate) => candidate.number === digits);
  if (card) return card;
  const known = testCards.map((candidate) => candidate.number).join(", ");
  const message = `card must be one of the test cards: ${known}. Never enter a real card here.`;
  return refuse("validation_error", { param: "card", message });
}

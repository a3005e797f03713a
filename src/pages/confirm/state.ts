/** The states of an address check, and how the page describes them. */
import type { Html } from "../../documents/html.js";
import type { AddressCheckRecord } from "../../service/address/check.js";
import { icons } from "../hosted/page.js";

export type ShownCheck = AddressCheckRecord;
export type ConfirmState = ShownCheck["state"] | "expired";

interface StateText {
  icon: Html;
  label: string;
  heading: string;
  /** CSS class of its colours. */
  tone: string;
  advice(score: number): string;
}

/** Returns the state at `now`: all but verified checks end when the link expires. */
export function confirmState({ state, expires_at }: ShownCheck, now: number): ConfirmState {
  return state !== "verified" && now >= expires_at ? "expired" : state;
}

export const confirmTexts: Readonly<Record<ConfirmState, StateText>> = {
  pending: {
    icon: icons.clock,
    label: "Waiting for you",
    heading: "Do you live here?",
    tone: "calm",
    advice: () =>
      "Standin sandbox asks you to confirm this address. Share your location, upload a bill, or do both.",
  },
  verified: {
    icon: icons.check,
    label: "Confirmed",
    heading: "Your address is confirmed",
    tone: "good",
    advice: () => "Thank you. There is nothing more to do, and you can close this page.",
  },
  review: {
    icon: icons.eye,
    label: "In review",
    heading: "Almost there",
    tone: "wait",
    advice: (score) =>
      `You have ${score} of the 70 points needed to confirm an address. Provide more proof to get them.`,
  },
  failed: {
    icon: icons.cross,
    label: "Not confirmed",
    heading: "This is not enough yet",
    tone: "bad",
    advice: (score) => `You have ${score} of the 70 points needed to confirm an address. You can try again.`,
  },
  expired: {
    icon: icons.clock,
    label: "Expired",
    heading: "This link has expired",
    tone: "over",
    advice: () => "Ask the sender for a new one.",
  },
};

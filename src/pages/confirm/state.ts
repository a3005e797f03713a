/** The states of an address check as the person at the page is told of them. */
import type { AddressCheckFields } from "../../service/address/machine.js";
import type { Stored } from "../../world/machine.js";
import { icons } from "../hosted/icons.js";
import type { Html } from "../html.js";

export type Check = Stored<AddressCheckFields>;
export type State = "pending" | "verified" | "review" | "failed" | "expired";

interface Words {
  icon: Html;
  label: string;
  heading: string;
  /** Class of the colours: hosted style. */
  tone: string;
  advice(score: number): string;
}

/** Verified stays verified; anything else ends with the link. */
export function stateOf({ state, expires_at }: Check, now: number): State {
  return state !== "verified" && now >= expires_at ? "expired" : (state as State);
}

export const words: Readonly<Record<State, Words>> = {
  pending: {
    icon: icons.clock,
    label: "Waiting for you",
    heading: "Do you live here?",
    tone: "calm",
    advice: () =>
      "Standin sandbox asks you to confirm this address. Share where you are, upload a bill, or do both.",
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
      `You have ${score} of the 70 points that confirm an address. More proof gets you there.`,
  },
  failed: {
    icon: icons.cross,
    label: "Not confirmed",
    heading: "This is not enough yet",
    tone: "bad",
    advice: (score) => `You have ${score} of the 70 points that confirm an address. You can try again.`,
  },
  expired: {
    icon: icons.clock,
    label: "Expired",
    heading: "This link has expired",
    tone: "over",
    advice: () => "It takes nothing more. Ask whoever sent it for a new one.",
  },
};

const lagosTime = new Intl.DateTimeFormat("en-NG", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "Africa/Lagos",
});

export const sayTime = (at: number): string => `${lagosTime.format(at)} WAT`;

export const sayMetres = (metres: number): string =>
  metres < 1000 ? `${Math.round(metres)} m` : `${(metres / 1000).toFixed(metres < 100_000 ? 1 : 0)} km`;

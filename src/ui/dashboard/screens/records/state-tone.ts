import type { Tone } from "../../pieces/layout.js";

const good = [
  "paid",
  "success",
  "verified",
  "connected",
  "processed",
  "succeeded",
  "ready",
  "completed",
  "active",
];
const bad = ["failed", "rejected", "locked", "not_found", "disconnected"];
const over = ["expired", "deactivated", "cancelled"];

/** Returns the tone of a state. */
export function stateTone(state: string): Tone {
  if (good.includes(state)) return "good";
  if (bad.includes(state)) return "bad";
  return over.includes(state) ? "over" : "wait";
}

/** Signals for a reviewer of an address check; assumption address.signals. */
import type { Checks } from "./checks.js";

export interface AddressSignal {
  category: string;
  severity: string;
  title: string;
  detail: string;
}

/** Accuracy that phones reach outdoors. */
const outdoorAccuracyMetres = 100;

export function signalsOf({ location, document }: Checks, radius_m: number): AddressSignal[] {
  const signals: AddressSignal[] = [];
  const { accuracy_m = 0, distance_m } = location;
  if (accuracy_m > outdoorAccuracyMetres) {
    signals.push({
      category: "location",
      severity: "weak",
      title: "Inaccurate location",
      detail: `The phone reported an accuracy of ${accuracy_m} m; ${outdoorAccuracyMetres} m or better is usual outdoors.`,
    });
  }
  if (location.status === "fail" && distance_m !== undefined) {
    signals.push({
      category: "location",
      severity: "strong",
      title: "Location far from the address",
      detail: `The location is ${Math.round(distance_m)} m from the address; the radius is ${radius_m} m.`,
    });
  }
  if (document.name_match === false) {
    signals.push({
      category: "document",
      severity: "moderate",
      title: "Different name on the document",
      detail: "The name on the document differs from the full name submitted.",
    });
  }
  return signals;
}

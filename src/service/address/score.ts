/** The parts of an address check, their points, the score and the signals; assumption address.points. */

import type { Static } from "typebox";
import * as Type from "typebox";
import { exactly } from "../../contract/schemas.js";

// Distances between positions on the earth.

/** A position on the earth, in degrees. */
export interface Position {
  latitude: number;
  longitude: number;
}

/** Mean radius of the earth. */
const earthRadiusMetres = 6_371_008.8;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Returns the great-circle distance in metres (haversine). */
export function distanceInMetres(a: Position, b: Position): number {
  const rise = Math.sin(radians(b.latitude - a.latitude) / 2) ** 2;
  const turn = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  const h = rise + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * turn;
  return 2 * earthRadiusMetres * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Returns the position `metres` away at `bearing`, in radians clockwise from north. Accurate within a town. */
export function moved(from: Position, metres: number, bearing: number): Position {
  const degrees = 180 / Math.PI / earthRadiusMetres;
  const latitude = from.latitude + metres * Math.cos(bearing) * degrees;
  const longitude =
    from.longitude + (metres * Math.sin(bearing) * degrees) / Math.cos(radians(from.latitude));
  return { latitude: rounded(latitude), longitude: rounded(longitude) };
}

/** Rounds to six decimals, a tenth of a metre. */
const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

// The parts of the check, as replies show and records store them.

export const scored = { "x-assumption": "address.points" };
const points = (maximum: number) => Type.Number({ minimum: 0, maximum });
const StatusOfPart = Type.Enum(["pass", "partial", "fail", "not_provided"], scored);
export type CheckStatus = Static<typeof StatusOfPart>;

const LocationPart = exactly({
  status: StatusOfPart,
  points: points(40),
  distance_m: Type.Optional(Type.Number({ description: "In metres; present once a location is submitted" })),
  accuracy_m: Type.Optional(Type.Number({ description: "In metres; present once a location is submitted" })),
});

/** How well a bill or statement agrees with what was submitted. */
const Reading = Type.Object({
  address_match: Type.Number({ minimum: 0, maximum: 100, ...scored }),
  name_match: Type.Boolean(),
});
export type DocumentReading = Static<typeof Reading>;

const documentStatus = { status: StatusOfPart, points: points(20) };

/** The document's check after a document was submitted, with what was read. */
export const ReadDocument = exactly({ ...documentStatus, ...Reading.properties });

export const parts = {
  address_exists: exactly({ status: Type.Enum(["pass", "partial", "fail"], scored), points: points(40) }),
  location: LocationPart,
  document: exactly({ ...documentStatus, ...Type.Partial(Reading).properties }),
};
export type Checks = { [Part in keyof typeof parts]: Static<(typeof parts)[Part]> };

// Points and the score.

/** Location that a phone reports. */
export interface Location extends Position {
  /** Accuracy in metres. */
  accuracy_m: number;
}

/** Lowest similarity at which the address or name on a document agrees. */
export const minDocumentSimilarity = 80;

const minVerifiedScore = 70;
const minReviewScore = 40;

export const notProvided = { status: "not_provided", points: 0 } as const;

const statusOf = (points: number, maxPoints: number) =>
  points === maxPoints ? "pass" : points === 0 ? "fail" : "partial";

/** Points of an address by its precision. */
export const existencePoints = { house: 40, street: 30, town: 15, unknown: 0 } as const;
export type Precision = keyof typeof existencePoints;

export const existenceCheck = (precision: Precision): Checks["address_exists"] => ({
  status: statusOf(existencePoints[precision], 40),
  points: existencePoints[precision],
});

/** Checks a location. If the address was not found (`address` is null), no location can confirm it. */
export function locationCheck(
  address: Position | null,
  radius_m: number,
  location: Location,
): Checks["location"] {
  const { accuracy_m } = location;
  if (address === null) return { status: "fail", points: 0, accuracy_m };
  const distance = distanceInMetres(address, location);
  const points = distance <= radius_m ? 40 : distance - accuracy_m <= radius_m ? 20 : 0;
  return { status: statusOf(points, 40), points, distance_m: Math.round(distance * 10) / 10, accuracy_m };
}

export function documentCheck({ address_match, name_match }: DocumentReading): Static<typeof ReadDocument> {
  const points = address_match < minDocumentSimilarity ? 0 : name_match ? 20 : 10;
  return { status: statusOf(points, 20), points, address_match, name_match };
}

export const scoreOf = ({ address_exists, location, document }: Checks): number =>
  address_exists.points + location.points + document.points;

/** Returns the result of the checks (interface: "Address check" in States and transitions). */
export function resultOf(checks: Checks): "verified" | "review" | "failed" {
  const score = scoreOf(checks);
  return score >= minVerifiedScore ? "verified" : score >= minReviewScore ? "review" : "failed";
}

// Signals for a reviewer.

export const Signal = exactly(
  { category: Type.String(), severity: Type.String(), title: Type.String(), detail: Type.String() },
  { "x-assumption": "address.signals" },
);

/** Accuracy that phones reach outdoors. */
const outdoorAccuracyMetres = 100;

export function signalsOf({ location, document }: Checks, radius_m: number): Static<typeof Signal>[] {
  const { accuracy_m = 0, distance_m } = location;
  const signals = [
    accuracy_m > outdoorAccuracyMetres && {
      category: "location",
      severity: "weak",
      title: "Inaccurate location",
      detail: `The phone reported an accuracy of ${accuracy_m} m; ${outdoorAccuracyMetres} m or better is usual outdoors.`,
    },
    location.status === "fail" &&
      distance_m !== undefined && {
        category: "location",
        severity: "strong",
        title: "Location far from the address",
        detail: `The location is ${Math.round(distance_m)} m from the address; the radius is ${radius_m} m.`,
      },
    document.name_match === false && {
      category: "document",
      severity: "moderate",
      title: "Different name on the document",
      detail: "The name on the document differs from the full name submitted.",
    },
  ];
  return signals.filter((signal) => signal !== false);
}

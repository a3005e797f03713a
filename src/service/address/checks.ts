/** The parts of an address check, their points and the score; assumption address.points. */
import { distanceInMetres, type Position } from "./distance.js";

export type CheckStatus = "pass" | "partial" | "fail" | "not_provided";

export interface ExistenceCheck {
  status: Exclude<CheckStatus, "not_provided">;
  points: number;
}

export interface LocationCheck {
  status: CheckStatus;
  points: number;
  distance_m?: number;
  accuracy_m?: number;
}

export interface DocumentCheck {
  status: CheckStatus;
  points: number;
  /** 0 to 100. */
  address_match?: number;
  name_match?: boolean;
}

export interface Checks {
  address_exists: ExistenceCheck;
  location: LocationCheck;
  document: DocumentCheck;
}

/** Location that a phone reports. */
export interface Location extends Position {
  /** Accuracy in metres. */
  accuracy_m: number;
}

/** How well a bill or statement agrees with what was submitted. */
export interface DocumentReading {
  /** 0 to 100. */
  address_match: number;
  name_match: boolean;
}

/** Lowest similarity at which the address or name on a document agrees. */
export const minDocumentSimilarity = 80;

const minVerifiedScore = 70;
const minReviewScore = 40;

export const notProvided = { status: "not_provided", points: 0 } as const;

const statusOf = (points: number, maxPoints: number) =>
  points === maxPoints ? "pass" : points === 0 ? "fail" : "partial";

export const existenceCheck = (points: 0 | 15 | 30 | 40): ExistenceCheck => ({
  status: statusOf(points, 40),
  points,
});

/** Checks a location. If the address was not found (`address` is null), no location can confirm it. */
export function locationCheck(address: Position | null, radius_m: number, location: Location): LocationCheck {
  const { accuracy_m } = location;
  if (address === null) return { status: "fail", points: 0, accuracy_m };
  const distance = distanceInMetres(address, location);
  const points = distance <= radius_m ? 40 : distance - accuracy_m <= radius_m ? 20 : 0;
  return { status: statusOf(points, 40), points, distance_m: Math.round(distance * 10) / 10, accuracy_m };
}

export function documentCheck({ address_match, name_match }: DocumentReading): DocumentCheck {
  const points = address_match < minDocumentSimilarity ? 0 : name_match ? 20 : 10;
  return { status: statusOf(points, 20), points, address_match, name_match };
}

export const scoreOf = ({ address_exists, location, document }: Checks): number =>
  address_exists.points + location.points + document.points;

/** Interface: "Address check" in States and transitions. */
export function resultOf(checks: Checks): "verified" | "review" | "failed" {
  const score = scoreOf(checks);
  return score >= minVerifiedScore ? "verified" : score >= minReviewScore ? "review" : "failed";
}

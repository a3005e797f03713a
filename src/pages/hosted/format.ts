/** Formats times, distances and amounts for the people who use the hosted pages. */
import { type Kobo, toNaira } from "../../world/money/money.js";

const lagosTime = new Intl.DateTimeFormat("en-NG", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "Africa/Lagos",
});

/** Formats a time as `Thu, 4 Mar 2027, 09:30 WAT`. */
export const formatLagosTime = (at: number): string => `${lagosTime.format(at)} WAT`;

/** Formats a distance as `200 m` or `5.0 km`. */
export const formatDistance = (metres: number): string =>
  metres < 1000 ? `${Math.round(metres)} m` : `${(metres / 1000).toFixed(metres < 100_000 ? 1 : 0)} km`;

/** Formats an amount as `₦12,345.50`. */
export const formatNairaAmount = (amount: Kobo): string =>
  `₦${toNaira(amount).toLocaleString("en-NG", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

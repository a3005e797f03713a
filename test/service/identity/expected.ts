/** Replies of each outcome of the eight identity checks. */
import type { commonOutcomes } from "../../../src/contract/operation.js";
import type { Reply } from "../../support/sandbox.js";
import type { CheckId } from "./checks.js";

export interface Seen {
  status: number;
  /** Error code, if refused. */
  code?: string;
  result?: string;
  match?: boolean | null;
  score?: string;
  data?: "some" | "none";
  match_status?: string;
  over?: boolean;
}

const statuses = {
  internal_error: 500,
  provider_unavailable: 503,
  provider_timeout: 504,
  rate_limited: 429,
} as const satisfies Record<keyof typeof commonOutcomes, number>;

const refused = (status: number, code: string): Seen => ({ status, code });
const common = Object.fromEntries(
  Object.entries(statuses).map(([outcome, status]) => [outcome, refused(status, outcome)]),
);

const found = { status: 200, result: "success", data: "some" } as const;
const lookup: Record<string, Seen> = {
  match: { ...found, match: true, score: "100" },
  partial_match: { ...found, match: false, score: "about 65" },
  no_match: { ...found, match: false, score: "low" },
  not_found: { status: 200, result: "not_found", match: false, score: "0", data: "none" },
  ...common,
};

const judged = (seen: Seen | undefined, match_status: string): Seen => ({ ...(seen as Seen), match_status });
const face = { status: 200, result: "success", data: "none" } as const;

export const expected: Readonly<Record<CheckId, Readonly<Record<string, Seen>>>> = {
  verifyBvn: lookup,
  verifyNin: lookup,
  verifyFrsc: lookup,
  verifyBankAccount: lookup,
  verifyBvnAccountMatch: {
    ...lookup,
    match: judged(lookup.match, "FULL_MATCH"),
    partial_match: judged(lookup.partial_match, "PARTIAL_MATCH"),
    no_match: judged(lookup.no_match, "NO_MATCH"),
  },
  verifyDocument: {
    read: { ...found, match: null, over: false },
    expired: { ...found, match: null, over: true },
    unreadable: refused(422, "document_unreadable"),
    ...common,
  },
  verifyLiveness: {
    live: { ...face, match: null, score: "live" },
    spoof: { ...face, match: null, score: "not live" },
    ...common,
  },
  verifyFaceMatch: {
    match: { ...face, match: true, score: "high" },
    no_match: { ...face, match: false, score: "low" },
    ...common,
  },
};

/** Interface: 75 or more is live. Assumption lookup.match: a partial match is about 65, and below 50 is no match. */
function sayScore(score: number, type: string): string {
  if (type === "liveness") return score >= 75 ? "live" : "not live";
  if (score > 0 && score < 50) return "low";
  if (type === "face_match") return score >= 80 ? "high" : String(score);
  return score >= 60 && score <= 70 ? "about 65" : String(score);
}

const today = (): string => new Date().toISOString().slice(0, 10);

export function seen({ status, body }: Reply): Seen {
  if (status >= 400) return refused(status, body.error.code);
  const { type, match, confidence_score: score, data } = body;
  return {
    status,
    result: body.status,
    match,
    data: data === null ? "none" : "some",
    ...(score === undefined ? {} : { score: sayScore(score, type) }),
    ...(data?.match_status === undefined ? {} : { match_status: data.match_status }),
    ...(type === "document" ? { over: data.expiry_date < today() } : {}),
  };
}

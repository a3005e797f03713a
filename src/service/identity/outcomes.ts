/** What a lookup by number can come to; the score says how near the submitted names are. */
export const lookupOutcomes = {
  match: "the record exists and agrees with what was submitted",
  partial_match: "the record exists and agrees in part: match false, confidence_score about 65",
  no_match: "the record exists and belongs to someone else: match false",
  not_found: "no such record: status not_found, match false, data null",
} as const;

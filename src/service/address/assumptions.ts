import { type Assumption, facts } from "../../contract/assumptions/assumption.js";

/** Behaviour that the interface leaves open about address checks. */
export const addressRows = [
  {
    id: "address.precision",
    question: "Which values does address.precision have?",
    default: facts(
      "`house`, `street`, `town` and `unknown`; `address.unknown_position` covers the position of an `unknown` address.",
      "Only addresses in Nigeria can be found.",
      "A location for an `unknown` address scores 0 and has no `distance_m`.",
    ),
    reason: "They correspond to the four scores of an address.",
  },
  {
    id: "address.unknown_position",
    question: "Which latitude and longitude does an address have that is not found?",
    default: facts(
      "Numbers, as for any other address: the position of the middle of Nigeria, or 0 and 0 for an address abroad.",
      "`precision` is `unknown`, and no distance is measured from there.",
    ),
    reason:
      "The interface's table gives both as numbers, and geocoders fall back to the middle of the country.",
    switch: { default: "numbers", alternatives: { null: "null for both" } },
  },
  {
    id: "address.required",
    question: "Which fields does an address check require, and when does its link expire?",
    default: facts(
      "`address`, `full_name` and `country` are required; `country` may be in lower case; `radius_m` is greater than 0, by default 200; `reference` is optional.",
      "The check expires after 72 hours; its link, location and document then get 410 `link_expired`.",
    ),
    reason:
      "The three required fields say whom and where to check, and three days give a person time to be at home.",
  },
  {
    id: "address.points",
    question: "How many points does each part of an address check score?",
    default: facts(
      "Address: 40 with house number, street and a known town; 30 with street and town; 15 with the town only; otherwise 0.",
      "Location: 40 if the distance is within the radius; 20 if the distance less the accuracy is; otherwise 0.",
      "Document: 20 if `address_match` is at least 80 and `name_match` is true; 10 if only the address matches; otherwise 0.",
      "The status of each part is `pass`, `partial`, `fail` or `not_provided`; `address_match` and `name_match` are present once a document is submitted.",
      "A new location or document replaces the former one; on a verified check it gets 409 `invalid_state`.",
      "`match` is null while the check is pending, and then says whether it is verified; `confidence_score` is the total.",
    ),
    reason: "The interface gives the maximum of each part; the steps below it are the natural ones.",
  },
  {
    id: "address.signals",
    question: "What does an item of `signals` contain?",
    default:
      "`{category,severity,title,detail}`; there are signals for an accuracy worse than 100 m, a distant location and a different name.",
    reason: "Audit findings and scan signals have the same four fields.",
  },
] as const satisfies readonly Assumption[];

/** Verifies which requests came, against the account's request journal: matched in the clear, shown redacted. */
import { closest } from "fastest-levenshtein";
import * as Type from "typebox";
import { type Difference, differences, partsOf, toExpectation, valueAt } from "../rules/matching.js";
import { runWithTimeout } from "../rules/pattern-budget.js";
import type { JournalEntry } from "../world/request-journal.js";
import { operation } from "./operation.js";
import { RequestView, viewRequest } from "./requests.js";
import { Anything } from "./schemas.js";

const count = Type.Integer({ minimum: 0 });
const bounds = { min: Type.Optional(count), max: Type.Optional(count) };
const Times = Type.Union([count, Type.Object(bounds, { additionalProperties: false, minProperties: 1 })], {
  description: "Exactly so many, or least and most; absent: at least one",
});

const Expectation = Type.Object({
  matched: Type.Boolean(),
  count: Type.Integer({ description: "Requests that match" }),
  expected: Type.String({ examples: ["at least 1"] }),
  requests: Type.Array(RequestView, { description: "Those that match, newest first, at most 20" }),
  nearest: Type.Array(
    Type.Object({
      request: RequestView,
      differences: Type.Array(
        Type.Object({
          at: Type.String({ examples: ["body.phone"] }),
          expected: Type.Unknown(),
          actual: Type.Optional(Type.Unknown({ description: "Absent: it is not there" })),
        }),
        { description: "At most 20" },
      ),
    }),
    { description: "When too few match: the three that miss by the fewest differences" },
  ),
});

const endless = Number.POSITIVE_INFINITY;
const mostShown = 20;
const mostNearest = 3;
/** Real ms for all matching. */
const patience = 2_000;

export const expectRequest = operation({
  id: "expectRequest",
  route: "POST /_sandbox/requests/expect",
  summary: "Verify which requests came, with the nearest misses",
  description:
    "Every part that is present must match; objects by the fields named, arrays whole. A string `/…/` is a regular expression for the whole value, `<string>`, `<integer>`, `<any>`, `<absent>` and the like name what it must be. Form fields, files and JSON bodies above 64 KB are not in the journal.",
  auth: "control",
  body: Type.Object(
    {
      operation: Type.String({ description: "Operation id", examples: ["startPhoneVerification"] }),
      path: Type.Optional(Type.String({ description: "Without the query" })),
      query: Type.Optional(Anything),
      headers: Type.Optional(Type.Record(Type.String(), Type.String())),
      body: Type.Optional(Anything),
      status: Type.Optional(Type.Integer()),
      times: Type.Optional(Times),
    },
    { additionalProperties: false },
  ),
  reply: { 200: Expectation },
  refuses: ["validation_error"],

  handle({ account, body, sandbox, refuse }) {
    const invalid = (param: string, message: string) => refuse("validation_error", { param, message });
    const ids = sandbox.operations.map(({ id }) => id);
    if (!ids.includes(body.operation)) {
      const asked = body.operation.slice(0, 100);
      const nearest = `the nearest is ${closest(asked, ids)}`;
      return invalid("operation", `There is no operation ${JSON.stringify(asked)}; ${nearest}.`);
    }
    const { times = { min: 1 }, ...parts } = body;
    const { min = 0, max = endless } = typeof times === "number" ? { min: times, max: times } : times;
    if (min > max) return invalid("times", `min is ${min}, above max, ${max}.`);
    const wanted = toExpectation(parts, (at, reason) => invalid(at, `${at}: ${reason}.`));
    const judged = judgeAll(account.requests.list(), wanted);
    if (!judged)
      return invalid("body", `Matching takes longer than ${patience} ms: name less, or simpler patterns.`);
    const hits = judged.filter(({ missed }) => missed.length === 0).map(({ entry }) => entry);
    return {
      matched: hits.length >= min && hits.length <= max,
      count: hits.length,
      expected: sayBounds(min, max),
      requests: hits.slice(0, mostShown).map(viewRequest),
      nearest: hits.length < min ? nearestOf(judged, body.operation) : [],
    };
  },
});

type Judged = { entry: JournalEntry; missed: Difference[] };

/** Null when it takes too long. */
const judgeAll = (entries: readonly JournalEntry[], wanted: unknown): Judged[] | null =>
  runWithTimeout(() => entries.map((entry) => ({ entry, missed: missedBy(entry, wanted) })), patience);

function missedBy(entry: JournalEntry, wanted: unknown): Difference[] {
  const missed: Difference[] = [];
  for (const difference of differences(partsOf(entry), wanted)) {
    if (missed.push(difference) === mostShown) break;
  }
  return missed;
}

/** Of those that miss by as many differences, the operation's own come first, and then the newest. */
function nearestOf(judged: readonly Judged[], operationId: string) {
  const foreign = ({ entry }: Judged) => Number(entry.operation !== operationId);
  return judged
    .filter(({ missed }) => missed.length > 0)
    .sort((a, b) => a.missed.length - b.missed.length || foreign(a) - foreign(b))
    .slice(0, mostNearest)
    .map(({ entry, missed }) => {
      const request = viewRequest(entry);
      const headers = Object.entries(request.headers).flat();
      const shown = partsOf({ ...entry, headers, body: request.body });
      const told = missed.map(({ at, expected }) => {
        return { at: at.join("."), expected, actual: valueAt(shown, at) };
      });
      return { request, differences: told };
    });
}

function sayBounds(min: number, max: number): string {
  if (min === max) return `exactly ${min}`;
  if (max === endless) return `at least ${min}`;
  return min === 0 ? `at most ${max}` : `${min} to ${max}`;
}

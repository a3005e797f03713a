/**
 * The requests of an account, with secrets redacted, and a test's expectations of them, which are matched against
 * unredacted requests.
 */
import * as Type from "typebox";
import { valueAt } from "../contract/json.js";
import { formatNearest } from "../contract/nearest.js";
import { nullable } from "../contract/schemas.js";
import { redactAddress, redactHeaders, redactJson, redactReply } from "../contract/secrets.js";
import { InvalidPattern, MatchingBudget, MatchingBudgetSpent } from "../rules/linear-pattern.js";
import { type Difference, differences, partsOf, toExpectation } from "../rules/matching.js";
import { toIso } from "../time/time.js";
import { inTurns } from "../time/turns.js";
import type { JournalEntry } from "../world/activity/request-journal.js";
import { collection } from "./collection.js";
import { operation } from "./operation.js";
import { AnyObject, NullableString, OperationName } from "./schemas.js";

export const RequestView = Type.Object({
  id: Type.String({ description: "X-Request-Id of the reply, and id of the activity" }),
  at: Type.String({ format: "date-time", description: "When it arrived; ISO 8601, UTC" }),
  operation: nullable(OperationName),
  method: Type.String(),
  path: Type.String(),
  status: nullable(Type.Integer(), {
    description: "Null if a fault reset the connection before the request was processed",
  }),
  error_code: NullableString,
  outcome: NullableString,
  fault: nullable(Type.String(), { description: "Fault that a rule injected, such as reply=truncated" }),
  duration_ms: Type.Number(),
  headers: Type.Record(Type.String(), Type.String()),
  body: NullableString,
  reply: NullableString,
  reply_headers: Type.Record(Type.String(), Type.String(), {
    description: "As sent. Empty if no reply was sent",
  }),
  trimmed: Type.Optional(
    Type.Literal(true, {
      description:
        "Body, reply and headers are no longer kept, because all accounts together had reached their total",
    }),
  ),
});

/** Returns an entry of the journal with its secrets redacted. */
export const viewRequest = ({
  asked_fault,
  decided_by,
  rule,
  cost,
  form,
  retry_after,
  trimmed,
  ...entry
}: JournalEntry) => ({
  ...entry,
  operation: entry.operation as Type.Static<typeof OperationName> | null,
  fault: asked_fault,
  at: toIso(entry.at),
  path: redactAddress(entry.path),
  duration_ms: Math.round((entry.duration_ms ?? 0) * 100) / 100,
  headers: redactHeaders(entry.headers),
  body: redactJson(entry.body),
  reply: redactReply(entry.reply, entry.body),
  reply_headers: redactHeaders(entry.reply_headers),
  ...(trimmed && { trimmed }),
});

export const { list: listRequests } = collection({
  of: RequestView,
  filter: { operation: Type.Optional(Type.String()), status: Type.Optional(Type.Integer()) },
  items: ({ account }) => account.requests.list(),
  matches: ({ operation, status }, query) =>
    operation === (query.operation ?? operation) && status === (query.status ?? status),
  view: viewRequest,
  list: {
    id: "listRequests",
    summary: "List the last 1,000 requests of the account, last answered first, with secrets redacted",
  },
});

const maxShown = 20;
const maxNearest = 3;

const count = Type.Integer({ minimum: 0 });
const bounds = { min: Type.Optional(count), max: Type.Optional(count) };
const Times = Type.Union([count, Type.Object(bounds, { additionalProperties: false, minProperties: 1 })], {
  description: "Expected number of requests: exact, or with min and max. Default: at least one",
});

const Expectation = Type.Object({
  matched: Type.Boolean(),
  count: Type.Integer({ description: "Number of requests that match" }),
  expected: Type.String({ examples: ["at least 1"] }),
  requests: Type.Array(RequestView, { description: "Requests that match, newest first, at most 20" }),
  nearest: Type.Array(
    Type.Object({
      request: RequestView,
      differences: Type.Array(
        Type.Object({
          at: Type.String({ examples: ["body.phone"] }),
          expected: Type.Unknown(),
          actual: Type.Optional(Type.Unknown({ description: "Omitted if there is nothing at this place" })),
        }),
        { description: "At most 20" },
      ),
    }),
    { description: "If too few requests match: the three with the fewest differences" },
  ),
});

export const expectRequest = operation({
  id: "expectRequest",
  summary: "Verify which requests were received, with the nearest misses",
  description:
    "Every part that is given must match: objects by the given fields, arrays as a whole. A string `/…/` is a regular expression for the whole value, and `!/…/` is a pattern that it must not match; `<string>`, `<integer>`, `<any>`, `<absent>` and the like name a type. Form fields, files and JSON bodies above 64 KB are not in the journal.",
  body: Type.Object(
    {
      operation: OperationName,
      path: Type.Optional(Type.String({ description: "Without the query" })),
      query: Type.Optional(AnyObject),
      headers: Type.Optional(Type.Record(Type.String(), Type.String())),
      body: Type.Optional(AnyObject),
      status: Type.Optional(Type.Integer()),
      times: Type.Optional(Times),
    },
    { additionalProperties: false },
  ),
  reply: { 200: Expectation },
  refuses: ["validation_error"],

  async handle({ account, body, sandbox, refuse }) {
    const invalid = (param: string, message: string) => refuse("validation_error", { param, message });
    const ids = sandbox.operations.map(({ id }) => id);
    if (!ids.includes(body.operation)) {
      const wanted = body.operation.slice(0, 100);
      const nearest = formatNearest(wanted, ids, { maxDistance: Number.POSITIVE_INFINITY });
      return invalid("operation", `There is no operation ${JSON.stringify(wanted)}${nearest}.`);
    }
    const { times = { min: 1 }, ...parts } = body;
    const { min = 0, max = Number.POSITIVE_INFINITY } =
      typeof times === "number" ? { min: times, max: times } : times;
    if (min > max) return invalid("times", `min is ${min}, above max, ${max}.`);
    const wrong = Object.entries(parts.query ?? {}).find(([, value]) =>
      ["number", "boolean"].includes(typeof value),
    );
    if (wrong) {
      const at = `query.${wrong[0]}`;
      return invalid(at, `${at}: a query has texts; use "${wrong[1]}".`);
    }
    const entries = await account.requests.list();
    const budget = new MatchingBudget();
    const judged = await judgeAll(entries, () => toExpectation(parts, budget));
    if (judged instanceof InvalidPattern) return invalid(judged.at, `${judged.message}.`);
    if (!judged) {
      const message = "Matching takes too long. Match fewer parts, or use simpler patterns.";
      return invalid("body", message);
    }
    const matching = judged.filter(({ missed }) => missed.length === 0).map(({ entry }) => entry);
    return {
      matched: matching.length >= min && matching.length <= max,
      count: matching.length,
      expected: formatBounds(min, max),
      requests: matching.slice(0, maxShown).map(viewRequest),
      nearest: matching.length < min ? nearestOf(judged, body.operation) : [],
    };
  },
});

type Judged = { entry: JournalEntry; missed: Difference[] };

/** Returns the invalid pattern if there is one, and null when the patterns would take more than their budget. */
async function judgeAll(
  entries: readonly JournalEntry[],
  compileExpectation: () => unknown,
): Promise<Judged[] | InvalidPattern | null> {
  try {
    return await inTurns(judge(entries, compileExpectation()));
  } catch (error) {
    if (error instanceof MatchingBudgetSpent) return null;
    if (error instanceof InvalidPattern) return error;
    throw error;
  }
}

function* judge(entries: readonly JournalEntry[], wanted: unknown): Generator<void, Judged[]> {
  const judged: Judged[] = [];
  for (const entry of entries) {
    judged.push({ entry, missed: missedBy(partsOf(entry), wanted) });
    yield;
  }
  return judged;
}

function missedBy(parts: object, wanted: unknown): Difference[] {
  const missed: Difference[] = [];
  for (const difference of differences(parts, wanted)) {
    if (missed.push(difference) === maxShown) break;
  }
  return missed;
}

/**
 * Returns the nearest misses. Equally near requests are sorted by operation, the expected one first, and then newest
 * first.
 */
function nearestOf(judged: readonly Judged[], operationId: string) {
  const isForeign = ({ entry }: Judged) => Number(entry.operation !== operationId);
  return judged
    .filter(({ missed }) => missed.length > 0)
    .sort((a, b) => a.missed.length - b.missed.length || isForeign(a) - isForeign(b))
    .slice(0, maxNearest)
    .map(({ entry, missed }) => {
      const request = viewRequest(entry);
      const headers = Object.entries(request.headers).flat();
      const shown = partsOf({ ...entry, headers, body: request.body });
      return {
        request,
        differences: missed.map(({ at, expected }) => ({
          at: at.join("."),
          expected,
          actual: valueAt(shown, at),
        })),
      };
    });
}

function formatBounds(min: number, max: number): string {
  if (min === max) return `exactly ${min}`;
  if (max === Number.POSITIVE_INFINITY) return `at least ${min}`;
  return min === 0 ? `at most ${max}` : `${min} to ${max}`;
}

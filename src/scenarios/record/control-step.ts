/** Records what a tester or a person did as a step. */
import type { RuleBody } from "../../rules/rule-input.js";
import { fromIso } from "../../time/time.js";
import { recordEndpoint, recordRequest } from "./call-step.js";
import { formatLeftOut, isDrawn } from "./drawn-rules.js";
import { nameOfResult } from "./known-values.js";
import type { RecordedStep, Recorder } from "./recorder.js";
import { hasSucceeded, type RecordedCall, stepRouteOf } from "./session-log.js";

type Fields = Record<string, unknown>;

/** Calls that change nothing on the account, or nothing that a run can repeat. */
const ignored = new Set(
  "createSessionToken registerKey expectRequest resetCoverage runScenario answerRelayed resetAccount rewindAccount".split(
    " ",
  ),
);

/** Steps of their own kind, by operation. */
const kinds: Readonly<
  Record<string, (recorded: RecordedCall, rewrite: (value: unknown) => unknown) => Fields>
> = {
  moveRecord: ({ params, body }, rewrite) => ({
    move: params.move,
    id: rewrite(params.id),
    ...(Object.keys(body ?? {}).length === 0 ? {} : { with: rewrite(body) }),
  }),
  replyAsPerson: ({ body }, rewrite) => ({ reply: rewrite(body) }),
  visitAddress: ({ params, body }, rewrite) => ({ visit: { id: rewrite(params.id), ...placeOf(body) } }),
  submitAddressLocation: ({ params, body }, rewrite) => ({
    visit: { id: rewrite(params.id), ...placeOf(body) },
  }),
  payCheckout: ({ params, body }, rewrite) => {
    const { reference = params.reference, card, second_step } = (body ?? {}) as Fields;
    return { pay: { reference: rewrite(reference), ...(rewrite({ card, second_step }) as Fields) } };
  },
};

const placeOf = (body: RecordedCall["body"]) => {
  const { latitude, longitude, accuracy_m } = (body ?? {}) as Fields;
  return { latitude, longitude, ...(accuracy_m === undefined ? {} : { accuracy_m }) };
};

/** Records a call of the control API or of a hosted page. Skips refused calls, which changed nothing. */
export function recordControl(recorder: Recorder, recorded: RecordedCall): void {
  const { operation, body, call, reply, params } = recorded;
  if (ignored.has(operation.id) || !hasSucceeded(recorded)) return;
  if (isOnDrawnRule(recorder, recorded)) return;
  if (operation.upload) return recordRequest(recorder, recorded);
  if (operation.id === "addWebhook" && call.status === 201) return recordEndpoint(recorder, recorded);
  const rewrite = (value: unknown) => recorder.rewrite(value);
  const own = Object.hasOwn(kinds, operation.id) ? kinds[operation.id] : undefined;
  const path = call.path ?? "";
  if (operation.body && body === null && call.body !== null && call.body !== "")
    return recorder.leaveOut(recorded, "its body is longer than 64 KB");
  const step: RecordedStep = own
    ? own(recorded, rewrite)
    : {
        control: stepRouteOf(operation, recorder.rewritePath(path)),
        ...(body === null ? {} : { body: rewrite(body) }),
      };
  if (reply !== undefined && operation.id !== "loadScenario" && operation.id !== "playScenario")
    step.expect = recorder.expect(own ? viewOf(reply) : reply, { ...body, ...params });
  recorder.addCall(step, nameOfResult(operation.id), recorded);
}

/** Leaves out the rules that draw. Returns whether the call made or removed one. */
function isOnDrawnRule(
  { drawnRules, leftOut }: Recorder,
  { operation, body, params, reply }: RecordedCall,
): boolean {
  if (operation.id === "deleteRule") return drawnRules.has(params.id as string);
  if (operation.id !== "createRule" || body === null) return false;
  const rule = body as unknown as RuleBody;
  if (!isDrawn(rule)) return false;
  drawnRules.add((reply as { id: string }).id, rule);
  leftOut.add(formatLeftOut(rule));
  return true;
}

/** Returns the reply to a move by hand without the record's history, which would make the expectation long. */
function viewOf(reply: unknown): unknown {
  const { history, moves, ...shown } = reply as Fields;
  return shown;
}

/** Returns the instant at which an advance or a freeze ended. */
export const endOf = ({ reply }: RecordedCall): number | null =>
  fromIso(String((reply as { now?: unknown } | undefined)?.now));

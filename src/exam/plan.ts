/** Plans what an exam does to a client, from what the client's tests did undisturbed. The most telling comes first. */
import { lookFirst } from "../conduct/rules/repeated-after-unknown.js";
import { commonOutcomes } from "../contract/decision.js";
import { type ErrorCode, errors } from "../contract/errors.js";
import { eventKinds } from "../contract/events.js";
import { type AnyOperation, methodOf } from "../contract/operation.js";
import type { Fault } from "../rules/faults.js";
import { defaultOutcome, outcomesOf } from "../rules/outcomes.js";
import type { RuleInput } from "../rules/rule-input.js";
import type { WebhookFaults } from "../rules/webhook-faults.js";
import { otherMoney, otherVerdict } from "./mutations.js";
import type { Calls, Observation } from "./observation.js";
import type { ExamClass, Perturbation } from "./perturbation.js";

/** An operation that the client's tests called. */
interface Used {
  operation: AnyOperation;
  calls: Calls;
}

type Effect = Omit<RuleInput, "on">;

const once: Effect = { times: 1 };

function perturbation(
  of: ExamClass,
  subject: string,
  name: string,
  title: string,
  right: string,
  rules: readonly RuleInput[],
): Perturbation {
  return { id: `${of}/${subject}/${name}`, class: of, subject, title, right, rules };
}

const rights = {
  retryRead: "Repeat a read that was refused with 429 or 503 after Retry-After.",
  tolerate: "Read the fields that you need by name, and ignore the others.",
  wait: "Wait for a reply for at least some seconds.",
  anyOrder: "Treat reply and webhook as two sources of the same truth, whichever comes first.",
  once: "Remember the id of each event, and handle it once.",
  genuine: "Refuse what is not signed with the secret, and handle the genuine delivery that follows.",
  late: "Wait for the webhook as long as it may take, or read the state.",
  look: "After a reply that was lost or cannot be read, look at what has happened before you repeat anything.",
  handle: "Tell the refusal from success, and end or go on as your users need it.",
  assert: "Assert on what the reply says, so that a wrong one makes a test fail.",
};

function faultOf(
  of: ExamClass,
  { operation }: Used,
  name: string,
  title: string,
  right: string,
  fault: Fault,
  effect = once,
): Perturbation {
  return perturbation(of, operation.id, name, title, right, [{ on: operation.id, fault, ...effect }]);
}

/** Webhooks in another order, or more than once. The order of events that do not touch the same record is left alone. */
function orders(used: readonly Used[], { events, followed }: Observation): Perturbation[] {
  const plan = (
    event: string,
    name: string,
    title: string,
    right: string,
    webhook: WebhookFaults,
  ): Perturbation => perturbation("absorbed", event, name, title, right, [{ on: event, webhook, times: 1 }]);
  const ofEvents = eventKinds
    .filter((event) => events.has(event))
    .flatMap((event) => [
      plan(event, "twice", `The webhook ${event} arrives twice.`, rights.once, { duplicate: 1 }),
      plan(
        event,
        "late",
        `The webhook ${event} arrives a second late, after the client's next reads.`,
        rights.late,
        {
          delay: "1s",
        },
      ),
      plan(
        event,
        "forged-first",
        `The webhook ${event} arrives with a wrong signature first, and then as it should.`,
        rights.genuine,
        {
          tamper: "signature",
        },
      ),
      ...(followed.has(event)
        ? [
            plan(
              event,
              "out-of-order",
              `The webhook ${event} arrives after the event that follows it.`,
              rights.anyOrder,
              {
                reorder: true,
              },
            ),
          ]
        : []),
    ]);
  const lateAndTwice = eventKinds
    .filter((event) => events.has(event))
    .map((event) =>
      plan(event, "late-and-twice", `The webhook ${event} arrives a second late, and twice.`, rights.once, {
        delay: "1s",
        duplicate: 1,
      }),
    );
  const before = used
    .filter(({ operation }) => operation.emits?.some((event) => events.has(event)))
    .map(({ operation }) => {
      const { id, emits = [] } = operation;
      const early: RuleInput = { on: id, fault: { reply_after: "webhook" }, times: 1 };
      const again = emits
        .filter((event) => events.has(event))
        .map((event): RuleInput => ({ on: event, webhook: { duplicate: 1 }, times: 1 }));
      return {
        first: perturbation(
          "absorbed",
          id,
          "webhook-first",
          `The webhook of ${id} arrives before its reply.`,
          rights.anyOrder,
          [early],
        ),
        both: perturbation(
          "absorbed",
          id,
          "webhooks-first",
          `The webhook of ${id} arrives twice before its reply.`,
          rights.anyOrder,
          [early, ...again],
        ),
      };
    });
  return [
    ...before.map(({ first }) => first),
    ...ofEvents,
    ...before.map(({ both }) => both),
    ...lateAndTwice,
  ];
}

function refusedReads(used: readonly Used[]): Perturbation[] {
  const reads = used.filter(({ operation }) => methodOf(operation) === "GET");
  return reads.flatMap((read) => {
    const { id } = read.operation;
    const again = { ...once, after: 1 };
    return [
      faultOf(
        "absorbed",
        read,
        "rate-limited",
        `${id} is refused once with 429 and Retry-After: 2.`,
        rights.retryRead,
        {
          error: "rate_limited",
          retry_after: 2,
        },
      ),
      faultOf(
        "absorbed",
        read,
        "unavailable",
        `${id} is refused once with 503 and Retry-After: 2.`,
        rights.retryRead,
        {
          error: "provider_unavailable",
          retry_after: 2,
        },
      ),
      ...(read.calls.most > 1
        ? [
            faultOf(
              "absorbed",
              read,
              "rate-limited-later",
              `The second ${id} is refused once with 429 and Retry-After: 2.`,
              rights.retryRead,
              errorOf("rate_limited"),
              again,
            ),
          ]
        : []),
    ];
  });
}

/** Replies that say the same in another way. */
const harmless = (used: readonly Used[]): Perturbation[] =>
  used
    .filter(({ calls }) => calls.reply !== null)
    .flatMap((one) => {
      const { id } = one.operation;
      const set = { standin_unknown: { of: "a later version" } };
      return [
        faultOf(
          "absorbed",
          one,
          "unknown-field",
          `Every reply of ${id} has a field that is not in the contract.`,
          rights.tolerate,
          { set },
          {},
        ),
        faultOf(
          "absorbed",
          one,
          "reordered",
          `The fields of every reply of ${id} are in another order.`,
          rights.tolerate,
          { reply: "reordered" },
          {},
        ),
        faultOf("absorbed", one, "slow", `A reply of ${id} takes half a second longer.`, rights.wait, {
          latency: "500ms",
        }),
      ];
    });

/** Replies that are lost, cut off or unreadable. */
function lostReplies(used: readonly Used[]): Perturbation[] {
  const ways: [name: string, what: string, fault: Fault][] = [
    ["reply-lost", "takes effect, and its reply is lost", { reply: "reset_after" }],
    ["malformed", "takes effect, and its reply is not JSON", { reply: "malformed" }],
    ["truncated", "takes effect, and its reply is cut off", { reply: "truncated" }],
    ["reset", "is cut off before it takes effect", { reply: "reset_before" }],
    ["timeout", "is refused with provider_timeout (504)", { error: "provider_timeout" }],
  ];
  return ways.flatMap(([name, what, fault]) =>
    used.map((one) => faultOf("survived", one, name, `${one.operation.id} ${what}.`, rights.look, fault)),
  );
}

/** Error codes that every operation may answer with. */
const commonErrors: readonly ErrorCode[] = ["provider_unavailable", "rate_limited", "internal_error"];

/** Returns the error with a Retry-After that a client can wait for, if the status is one after which it may ask again. */
const errorOf = (code: ErrorCode): Fault =>
  errors[code].status === 429 || errors[code].status === 503
    ? { error: code, retry_after: 2 }
    : { error: code };

/** Outcomes and refusals that the client's tests did not meet. */
function otherAnswers(used: readonly Used[]): Perturbation[] {
  const errors = (one: Used, codes: readonly ErrorCode[]) =>
    codes
      .filter((code) => !one.calls.errors.has(code))
      .map((code) =>
        faultOf(
          "survived",
          one,
          code,
          `${one.operation.id} is refused with ${code}.`,
          rights.handle,
          errorOf(code),
        ),
      );
  const outcomes = used.flatMap(({ operation, calls }) =>
    Object.keys(outcomesOf(operation))
      .filter((name) => name !== defaultOutcome(operation) && !calls.outcomes.has(name))
      .filter((name) => !Object.hasOwn(commonOutcomes, name))
      .map((outcome) =>
        perturbation(
          "survived",
          operation.id,
          outcome,
          `${operation.id} has the outcome ${outcome}.`,
          rights.handle,
          [{ on: operation.id, outcome, times: 1 }],
        ),
      ),
  );
  return [
    ...outcomes,
    ...used.flatMap((one) => errors(one, (one.operation.refuses ?? []) as readonly ErrorCode[])),
    ...used.flatMap((one) => errors(one, commonErrors)),
  ];
}

/** Replies that tell something else than what has happened. */
const mutations = (used: readonly Used[]): Perturbation[] =>
  used.flatMap((one) => {
    const { id } = one.operation;
    const [verdict, money] = [otherVerdict(one.calls.reply), otherMoney(one.calls.reply)];
    return [
      ...(Object.keys(verdict).length > 0
        ? [
            faultOf(
              "noticed",
              one,
              "verdict",
              `Every reply of ${id} says the opposite: ${formatValues(verdict)}.`,
              rights.assert,
              { set: verdict },
              {},
            ),
          ]
        : []),
      ...(Object.keys(money).length > 0
        ? [
            faultOf(
              "noticed",
              one,
              "money",
              `Every reply of ${id} has other amounts: ${formatValues(money)}.`,
              rights.assert,
              { set: money },
              {},
            ),
          ]
        : []),
    ];
  });

const formatValues = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .map(([path, value]) => `${path} ${String(value)}`)
    .join(", ");

const movesMoney = ({ operation }: Used): boolean => Object.hasOwn(lookFirst, operation.id);

/** Returns the plan. Operations that exist for tests alone are left undisturbed. */
export function planExam(baseline: Observation, operations: readonly AnyOperation[]): Perturbation[] {
  const used = operations
    .filter(({ id, testModeOnly }) => baseline.operations.has(id) && !testModeOnly)
    .map((operation): Used => ({ operation, calls: baseline.operations.get(operation.id) as Calls }));
  const [money, others] = [used.filter(movesMoney), used.filter((one) => !movesMoney(one))];
  return [
    ...lostReplies(money),
    ...orders(used, baseline),
    ...mutations(used),
    ...refusedReads(used),
    ...harmless(used),
    ...otherAnswers(money),
    ...lostReplies(others),
    ...otherAnswers(others),
  ];
}

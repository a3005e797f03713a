/** Values that replies and events can have in place of the undisturbed ones, consistent in themselves. */

import { absent } from "../../contract/json.js";
import type { RuleBody } from "../../rules/rule-input.js";
import { type EventKind, eventKinds } from "../../service/webhooks/events.js";
import type { Observation, Shape } from "../observation.js";
import type { Perturbation } from "../perturbation.js";
import { type Disturbance, disturb, dropping, failing, setting } from "./disturbance.js";

type Values = Readonly<Record<string, unknown>>;

/** An operation or event, with the union of its replies or payloads. */
export interface Source {
  subject: string;
  said: Shape;
  is: "reply" | "webhook";
}

interface Substitute {
  set: Values;
  /** Field and the values in whose place it is: one of them must have occurred. Without values, any but null. */
  instead: readonly [path: string, ...values: (string | number | boolean)[]];
  /** Requests whose replies may have the values. Default: all. */
  when?: RuleBody["when"];
}

type SubstitutesOf<One extends Substitute> = Readonly<Record<string, readonly One[]>>;

/** Returns the substitutes of what occurred, each with its source. */
const fitting = <One extends Substitute>(
  substitutes: SubstitutesOf<One>,
  sources: readonly Source[],
): (One & Source)[] =>
  sources.flatMap((source) =>
    (substitutes[source.subject] ?? [])
      .filter(({ instead: [path, ...values] }) =>
        [...(source.said.values.get(path) ?? [])].some((value) =>
          values.length === 0 ? value !== null : values.some((one) => one === value),
        ),
      )
      .map((one) => ({ ...one, ...source })),
  );

/**
 * Returns the disturbance in which every reply or webhook has other values. `says` ends the sentence about it. `instead`: the
 * others keep theirs.
 */
function replaceValues(
  is: Source["is"],
  name: string,
  says: string,
  set: Values,
  [path, value, ...more]: Substitute["instead"] = [""],
): Pick<Disturbance, "name" | "title" | "when" | "fault" | "webhook" | "always"> {
  const isForAll = value === undefined;
  const inPlace = isForAll ? "" : ` in place of ${path} ${[value, ...more].join(" or ")}`;
  const title = (subject: string) =>
    `Every ${is === "reply" ? "reply of" : "webhook"} ${subject} ${says}${inPlace}.`;
  const common = { name, title, always: true } as const;
  if (is === "reply")
    return { ...common, fault: { set: { ...set }, ...(!isForAll && { where: { [path]: value } }) } };
  const data = { [path.replace("data.", "")]: `/${[value, ...more].join("|")}/` };
  return { ...common, ...(!isForAll && { when: { data } }), webhook: { set: { ...set } } };
}

const formatValues = (values: Values): string =>
  Object.entries(values)
    .map(([path, value]) => (value === absent ? `nothing of ${path}` : `${path} ${String(value)}`))
    .join(", ");

/** Requests for payments of every status: what is asked for by its status has no other. */
const unfiltered = { query: { status: absent } };

/** Payments that are not paid yet. */
export const pendingPayments = {
  set: { "payments.*.status": "pending", "payments.*.paid_at": null },
  instead: ["payments.*.status", "success"],
  when: unfiltered,
} as const;

/** Replies of operations whose records are still pending. An identity check is never so for long: it expires. */
const unended: SubstitutesOf<Substitute> = {
  getAudit: [{ set: { status: "pending", score: null, grade: null }, instead: ["status", "ready"] }],
  listPayments: [pendingPayments],
};

/** Plans records that never leave their first state. */
export const planUnended = (replies: readonly Source[]): Perturbation[] =>
  fitting(unended, replies).map(({ subject, is, set, instead, when }) =>
    disturb("survived", subject, {
      ...(when && { when }),
      ...replaceValues(is, "never-ends", "says pending, for as long as it is asked,", set, instead),
      right: "Give every wait an end, and tell the user that it takes longer.",
    }),
  );

const unknownPayer: Substitute = { set: { "data.payer_name": null }, instead: ["data.payer_name"] };

/** Fields that the contract allows to be null, with what agrees with that. */
const nullable: SubstitutesOf<Substitute & { name?: string }> = {
  getBusinessOverview: [{ set: { remaining: null, business_verified: true }, instead: ["remaining"] }],
  listAudits: [{ set: { "*.status": "pending", "*.score": null, "*.grade": null }, instead: ["*.score"] }],
  listPayments: [
    { set: { "payments.*.payer_name": null }, instead: ["payments.*.payer_name"] },
    {
      name: "unpaid",
      set: { "payments.*.status": "failed", "payments.*.paid_at": null },
      instead: ["payments.*.paid_at"],
      when: unfiltered,
    },
  ],
  ...Object.fromEntries(eventKinds.map((event) => [event, [unknownPayer]])),
};

/** Plans fields that are null. Tests may miss the value, and the client may not fail as a program does that expects none. */
export const planNulls = (sources: readonly Source[]): Perturbation[] =>
  fitting(nullable, sources).map(({ subject, is, name = "null", set, instead: [path], when }) =>
    disturb("survived", subject, {
      ...(when && { when }),
      ...replaceValues(is, name, `has null for ${path}, as the contract allows`, set),
      right: "Expect null wherever the contract allows it.",
      sign: "null",
    }),
  );

/** Another answer that a reply or an event can give. */
interface Answer extends Substitute {
  name: string;
  /** Values under which the command fails if it depends on the reply. Default: the operation fails. */
  probe?: Values;
  /** Plainly bad values of the same field. On one account alone, the tests have to fail under them, and not under other answers. */
  worse?: Values;
  /** Event that tells of the same, and would contradict the reply. */
  unless?: EventKind;
  /** Operation that the service refuses in this state: it would contradict itself on an account that calls it. */
  spares?: string;
}

/** Answer that tells whether a client acts on every event about a payment. */
const failedPayment: Answer = {
  name: "failed",
  set: { event: "payment.failed", "data.status": "failed" },
  instead: ["data.status", "success"],
};

/** Returns an answer that a later version of the service gives. */
const unknownIn = (path: string, good: string, bad: string): Answer => ({
  name: "unknown",
  set: { [path]: "standin_unknown" },
  instead: [path, good],
  probe: { [path]: bad },
  worse: { [path]: bad },
});

/** Answer that says neither that the details agree nor that they do not. Interface: match is "boolean or null". */
const unconfirmed: Answer = {
  name: "unconfirmed",
  set: { match: null },
  instead: ["match", true],
  probe: { match: false },
  worse: { match: false },
};

/** Returns the lowest score, which programs take for none. It matters where the score above it does. */
const zeroIn = (path: string, instead: Substitute["instead"], others: Values = {}): Answer => ({
  name: "zero",
  set: { [path]: 0, ...others },
  instead,
  probe: { [path]: 1, ...others },
  worse: { [path]: 1, ...others },
});

/** Negative answers of operations that have no outcomes for them, and of events. */
const answers: SubstitutesOf<Answer> = {
  checkPhoneVerification: [
    { name: "wrong-code", set: { verified: false, status: "pending" }, instead: ["verified", true] },
    { name: "expired", set: { verified: false, status: "expired" }, instead: ["verified", true] },
    // A code can be used once, and the status tells of its first use.
    { name: "used", set: { verified: false }, instead: ["verified", true] },
    { name: "locked", set: { verified: false, status: "max_attempts_reached" }, instead: ["verified", true] },
  ],
  // Nothing tells the message from one that was sent but the reply.
  sendChannelMessage: [
    { name: "not-sent", set: { sent: 0, session_active: false }, instead: ["sent", 1] },
    { name: "not-delivered", set: { sent: 0 }, instead: ["sent", 1] },
  ],
  checkChannelCode: [
    { name: "wrong-code", set: { valid: false, reason: "wrong_code" }, instead: ["valid", true] },
    { name: "expired", set: { valid: false, reason: "expired" }, instead: ["valid", true] },
    { name: "none-sent", set: { valid: false, reason: "no_pending_code" }, instead: ["valid", true] },
    { name: "locked", set: { valid: false, reason: "too_many_attempts" }, instead: ["valid", true] },
  ],
  // A score of 75 is live.
  verifyLiveness: [
    {
      name: "nearly-live",
      set: { confidence_score: 74 },
      instead: ["type", "liveness"],
      unless: "verification.completed",
    },
    { ...zeroIn("confidence_score", ["type", "liveness"]), unless: "verification.completed" },
  ],
  verifyFrsc: [
    {
      name: "expired-licence",
      set: { "data.licence_status": "expired", "data.expiry_date": "2020-01-31" },
      instead: ["data.licence_status", "valid"],
    },
    {
      name: "suspended-licence",
      set: { "data.licence_status": "suspended" },
      instead: ["data.licence_status", "valid"],
      worse: { "data.licence_status": "expired" },
    },
    unknownIn("data.licence_status", "valid", "expired"),
    unconfirmed,
  ],
  verifyBvnAccountMatch: [unknownIn("data.match_status", "FULL_MATCH", "NO_MATCH"), unconfirmed],
  ...Object.fromEntries(
    ["verifyBankAccount", "verifyBvn", "verifyFaceMatch", "verifyNin"].map((check) => [check, [unconfirmed]]),
  ),
  ...Object.fromEntries(
    ["scanText", "scanImage", "scanVideo"].map((scan) => [
      scan,
      [
        unknownIn("verdict", "likely_authentic", "likely_ai"),
        { ...unknownIn("signals.*.severity", "weak", "strong"), name: "unknown-severity" },
      ],
    ]),
  ),
  submitAddressLocation: [
    {
      name: "review",
      set: { status: "review", match: false, confidence_score: 69 },
      instead: ["status", "verified"],
      unless: "verification.completed",
    },
  ],
  submitAddressDocument: [
    {
      name: "review",
      set: { status: "review", confidence_score: 69 },
      instead: ["status", "verified"],
      unless: "verification.completed",
    },
  ],
  // The interface lets `verified` be false or absent.
  checkDomainVerification: [false, absent].map((verified) => ({
    name: verified === false ? "unproven" : "absent",
    set: { verified },
    instead: ["verified", true],
  })),
  // The cost of a session is known once it is over.
  listStreamingSessions: [
    {
      name: "running",
      set: { "*.status": "active" },
      instead: ["*.status", "completed"],
      probe: { "*.cost": 1 },
    },
  ],
  getIdentityCheck: [
    ...["failed", "expired"].map(
      (status): Answer => ({ name: status, set: { status }, instead: ["status", "verified"] }),
    ),
    unknownIn("status", "verified", "failed"),
  ],
  getAudit: [
    { name: "failed", set: { status: "failed", score: null, grade: null }, instead: ["status", "ready"] },
    zeroIn("score", ["status", "ready"], { grade: "F" }),
  ],
  // Held money has been paid.
  listPayments: [
    ...["held", "failed", "pending"].map(
      (status): Answer => ({
        name: status,
        set: { "payments.*.status": status, ...(status !== "held" && { "payments.*.paid_at": null }) },
        instead: ["payments.*.status", "success"],
        when: unfiltered,
        probe: { payments: [] },
        spares: "createRefund",
      }),
    ),
    { ...unknownIn("payments.*.status", "success", "failed"), when: unfiltered, spares: "createRefund" },
  ],
  "payment.received": [
    {
      name: "less",
      set: { "data.amount": 100, "data.fee": 50, "data.net": 50 },
      instead: ["data.status", "success"],
    },
    failedPayment,
  ],
  "payment.settled": [failedPayment],
  "verification.completed": [
    { name: "failed", set: { "data.status": "failed" }, instead: ["data.status", "verified", "success"] },
    { name: "review", set: { "data.status": "review" }, instead: ["data.status", "verified"] },
  ],
  verification: ["failed", "expired"].map((status) => ({
    name: status,
    set: { "data.status": status },
    instead: ["data.status", "verified"],
  })),
};

/** Returns plainly bad values of the field that an answer is about, if the other answers change more than the field. */
export const worseOf = (subject: string, name: string): Values | undefined =>
  answers[subject]?.find((answer) => answer.name === name)?.worse;

/** The right behaviour where a reply says something else. */
export const look = "Assert on what the reply says, so that a wrong one makes a test fail.";

/** Plans replies with another answer, and events where the client acts on the event and does not read what it tells. */
export const planAnswers = (sources: readonly Source[], { events }: Observation): Perturbation[] =>
  fitting(answers, sources)
    .filter(({ unless }) => unless === undefined || !events.has(unless))
    .map(({ subject, is, name, set, instead, when, probe, worse, spares }) =>
      disturb("noticed", subject, {
        ...(when && { when }),
        ...replaceValues(is, name, `says ${formatValues(set)}`, set, instead),
        ...(is === "reply"
          ? { right: look, probes: [probe ? setting(subject, probe) : failing(subject)] }
          : {
              right: "Act on what the event says, and have a test in which it says something else.",
              sign: "event",
              probes: [dropping(subject)],
            }),
        ...(spares && { spares }),
        // A reply may have nothing that is changed: the record in it is another one, or is spared.
        ...((spares || worse) && { sign: "verdict" }),
      }),
    );

/** Fields in which an amount of money is told. */
const moneyFields: ReadonlySet<string> = new Set([
  "amount",
  "available",
  "balance",
  "cost",
  "fee",
  "fees_charged",
  "held",
  "net",
  "pending",
  "price_per_minute",
  "received",
  "remaining",
  "total_received",
  "you_receive",
]);

/** Amount in naira that replaces zero. */
const surplus = 1_000.5;

/**
 * Returns another amount, with which fee and net still agree. It is much less, since a client that compares what it has with
 * what it needs, or with a limit, does not notice more.
 */
const otherAmount = (naira: number): number => (naira === 0 ? surplus : Math.round(naira) / 100);

/** Reads of totals: tests of them mostly check that there is a number, and nothing is bought with it. */
const totals: ReadonlySet<string> = new Set(["getBalance", "getBusinessOverview"]);

/** Plans amounts that a suite must notice. */
export const planMoney = (replies: readonly Source[]): Perturbation[] =>
  replies.flatMap(({ subject, said, is }) => {
    const amounts = [...said.numbers()].filter(([path]) => moneyFields.has(path.split(".").at(-1) as string));
    if (totals.has(subject) || amounts.length === 0) return [];
    const set = Object.fromEntries(amounts.map(([path, naira]) => [path, otherAmount(naira)]));
    return [
      disturb("noticed", subject, {
        ...replaceValues(is, "money", `has other amounts: ${formatValues(set)}`, set),
        right: look,
        probes: [setting(subject, Object.fromEntries(amounts.map(([path]) => [path, null])))],
      }),
    ];
  });

/** Amounts in naira that are added to fields of an event: they end in kobo, and agree with each other. */
const kobo = { "data.amount": 0.87, "data.fee": 0.36, "data.net": 0.51 };

/**
 * Plans amounts of events that end in kobo: a share of them has more than two decimals unless it is rounded. Leaves out
 * clients that read payments, where the event would contradict the list.
 */
export const planKobo = (events: readonly Source[], { operations }: Observation): Perturbation[] =>
  events.flatMap(({ subject, said, is }) => {
    const numbers = said.numbers();
    if (operations.has("listPayments") || !Object.keys(kobo).every((path) => numbers.has(path))) return [];
    const amounts = Object.entries(kobo).map(([path, more]) => [
      path,
      Math.round(((numbers.get(path) as number) + more) * 100) / 100,
    ]);
    return [
      disturb("survived", subject, {
        ...replaceValues(is, "kobo", "tells amounts that end in kobo", Object.fromEntries(amounts)),
        right: "Count money in kobo, as whole numbers, and round what you compute from it.",
      }),
    ];
  });

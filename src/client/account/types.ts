/** Input and replies of the control API. Timestamps are ISO 8601 on the account's clock. */

import type { Static, TObject } from "typebox";
import type { ErrorCode } from "../../contract/errors.js";
import type { BodyOf, CommonOutcome, ItemOf, QueryOf, ReplyOf } from "../../contract/operation.js";
import type { getAccount, rewindAccount, updateAccount } from "../../control/account.js";
import type { explainActivity, listActivity } from "../../control/activity.js";
import type { advanceClock, getClock } from "../../control/clock.js";
import type { getConduct } from "../../control/conduct.js";
import type { getCoverage } from "../../control/coverage.js";
import type { listDeliveries, listEvents } from "../../control/events.js";
import type { Exported } from "../../control/export.js";
import type { releaseHeld, waitForHeld } from "../../control/held.js";
import type { listMessages, replyAsPerson, waitForMessage } from "../../control/inbox.js";
import type { pactFields } from "../../control/pact.js";
import type { recordingFields } from "../../control/recording.js";
import type { getRecord } from "../../control/records.js";
import type { expectRequest, listRequests } from "../../control/requests.js";
import type { createRule, listRulesOperation } from "../../control/rules.js";
import type { listScenarios, loadBuiltInScenario } from "../../control/scenarios.js";
import type { getSnapshot, restoreSnapshot } from "../../control/snapshot.js";
import type { listWebhooks } from "../../control/webhooks.js";
import type { operationIds, outcomeNames } from "../../service/index.js";
import type { EventKind } from "../../service/webhooks/events.js";

/** A request, reply or webhook that a rule holds. */
export interface HeldEntry extends ReplyOf<typeof waitForHeld> {}
export interface HeldWait extends QueryOf<typeof waitForHeld> {}
export interface HeldChanges extends BodyOf<typeof releaseHeld> {}

/** Findings about what the client did that would hurt it with the real service. */
export interface ConductReport extends ReplyOf<typeof getConduct> {}

export interface AccountState extends ReplyOf<typeof getAccount> {}
/** Changes of plan, wallet and settings; `balance` in naira. */
export interface AccountChanges extends BodyOf<typeof updateAccount> {}

export interface InboxMessage extends ItemOf<typeof listMessages> {}
export interface InboxFilter extends QueryOf<typeof listMessages> {}
/** `timeout` is wall-clock time, such as `5s`. */
export interface InboxWait extends QueryOf<typeof waitForMessage> {}
export interface PersonMessage extends BodyOf<typeof replyAsPerson> {}

export interface ClockState extends ReplyOf<typeof getClock> {}
/** Time after the advance, and the jobs that fell due on the way, in order. */
export interface AdvanceResult extends ReplyOf<typeof advanceClock> {}

/** A record as the service shows it, with its legal moves and its history. */
export interface RecordEntry extends ReplyOf<typeof getRecord> {}
export interface EventEntry extends ItemOf<typeof listEvents> {}
export interface WebhookEntry extends ItemOf<typeof listWebhooks> {}
/** A delivery with all its attempts; `duration_ms` is wall-clock time. */
export interface DeliveryEntry extends ItemOf<typeof listDeliveries> {}

/** A received request, with secrets redacted. */
export interface RequestEntry extends ItemOf<typeof listRequests> {}
/** All given parts must match. A text of the form `/…/` is a regular expression for the whole value. */
export interface RequestExpectation extends BodyOf<typeof expectRequest> {}
/** Requests that match, and the nearest misses if they are too few. */
export interface Expectation extends ReplyOf<typeof expectRequest> {}

/** An activity of the account, with the id of its cause. */
export interface ActivityEntry extends ItemOf<typeof listActivity> {}
export interface ActivityFilter extends QueryOf<typeof listActivity> {}
/** An activity with its causes, the root first, and the tree of its effects. */
export interface ActivityExplanation extends ReplyOf<typeof explainActivity> {}

/** The scenario that an account plays. */
export interface ScenarioState extends ReplyOf<typeof loadBuiltInScenario> {}
/** A built-in scenario. */
export type ScenarioEntry = ReplyOf<typeof listScenarios>["items"][number];

/** An account's whole state. `restore` accepts it on any sandbox of the same major version. */
export interface Snapshot extends ReplyOf<typeof getSnapshot> {}
export interface RestoreResult extends ReplyOf<typeof restoreSnapshot> {}
/** Result of `rewind`. */
export interface RewindResult extends ReplyOf<typeof rewindAccount> {}

/** Coverage of the service by clients. A count of 0 marks what has not been exercised. */
export interface CoverageReport extends ReplyOf<typeof getCoverage> {}
export interface CoverageOptions {
  /** Reset the coverage after reporting it. Default false. */
  reset?: boolean;
}

/** Everything about an account, without its secrets. */
export interface Bundle extends Pick<Exported["bundle"], keyof Exported["bundle"]> {}

/** `since` is the id of an activity; with `inline`, uploads are part of the steps. */
export interface RecordingOptions extends Static<TObject<typeof recordingFields>> {}
/** A scenario that repeats what happened, the files that it needs, and what it leaves out. */
export interface Recording extends Pick<Exported["scenario"], keyof Exported["scenario"]> {}

/** `of` is `requests` (default) or `webhooks`; `consumer` and `provider` are the names in the pact. */
export interface PactOptions extends Static<TObject<typeof pactFields>> {}
/** A pact of version 4, to write as JSON, and the traffic that it leaves out. */
export interface ExportedPact extends Pick<Exported["pact"], keyof Exported["pact"]> {}

export type { ErrorCode, EventKind };

export type OperationId = (typeof operationIds)[number];
export type OutcomeName = (typeof outcomeNames)[number] | CommonOutcome;

type Input = BodyOf<typeof createRule>;
type Listed = ItemOf<typeof listRulesOperation>;

/** Subject of a rule: an operation, or `*` for all; for deliveries an event kind, or `webhooks` for all. */
export type RuleSubject = OperationId | "*" | EventKind | "webhooks";

/** Conditions of a rule. Every given part must match: objects by the given fields, `/…/` by pattern. */
export interface RuleMatch extends Omit<NonNullable<Input["when"]>, "event"> {
  event?: EventKind | `/${string}/` | `<${string}>`;
}

/** A failure between client and service. `error` must be a code that the operation declares. */
export interface Fault extends Omit<NonNullable<Input["fault"]>, "error"> {
  error?: ErrorCode;
}

/** A disturbance of webhook deliveries. */
export type Adversity = NonNullable<Input["webhook"]>;

/** Effect of a rule: an outcome, a fault or both on requests, `webhook` on deliveries, or `hold`. */
export interface RuleEffect {
  outcome?: OutcomeName;
  fault?: Fault;
  webhook?: Adversity;
  hold?: NonNullable<Input["hold"]>;
}

/** An effect with its number of uses (default: unlimited) and its probability (default 1). */
export interface RuleStage extends RuleEffect, Pick<Input, "times" | "probability"> {}

/**
 * A rule to add. `after` is the number of matches to let pass first, `next` the effects that follow once the uses are
 * used up.
 */
export interface RuleInput extends RuleStage, Pick<Input, "priority" | "after"> {
  on: RuleSubject;
  when?: RuleMatch;
  next?: RuleStage[];
}

/** A rule of the account. `times` is the number of uses left, null if unlimited. */
export interface Rule extends RuleEffect, Omit<Listed, keyof RuleEffect | "on" | "when" | "next"> {
  on: RuleSubject;
  when: RuleMatch;
  next: RuleStage[];
}

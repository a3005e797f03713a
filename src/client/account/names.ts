/** Names of the service as types, so that a mistyped one does not compile. */
import type { CommonOutcome } from "../../contract/operation.js";
import type { operationIds, outcomeNames } from "../../service/index.js";

export type { ErrorCode } from "../../contract/errors.js";
export type { EventKind } from "../../service/webhooks/events.js";

export type OperationId = (typeof operationIds)[number];
export type OutcomeName = (typeof outcomeNames)[number] | CommonOutcome;

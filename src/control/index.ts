/** Every operation of the control API, on one screen. */
import type { AnyOperation, TypesOf } from "../contract/operation.js";
import * as account from "./account.js";
import * as activity from "./activity.js";
import * as acts from "./acts.js";
import * as bundle from "./bundle.js";
import * as catalogue from "./catalogue.js";
import * as clock from "./clock.js";
import * as conduct from "./conduct.js";
import * as coverage from "./coverage.js";
import * as events from "./events.js";
import * as exporting from "./export.js";
import * as held from "./held.js";
import * as inbox from "./inbox.js";
import * as operations from "./operations.js";
import * as operator from "./operator.js";
import * as pact from "./pact.js";
import * as people from "./people.js";
import * as records from "./records.js";
import * as requests from "./requests.js";
import * as rules from "./rules.js";
import * as scenarios from "./scenarios.js";
import * as snapshot from "./snapshot.js";
import * as stream from "./stream.js";
import * as webhooks from "./webhooks.js";

const all = [
  operator.getHealth,
  operator.getReadiness,
  operator.getMetrics,
  catalogue.getServiceContract,
  catalogue.getControlContract,
  account.getAccount,
  account.updateAccount,
  account.resetAccount,
  operator.listAccounts,
  snapshot.getSnapshot,
  snapshot.restoreSnapshot,
  account.rewindAccount,
  exporting.exportAccount,
  bundle.restoreHistory,
  operator.createSessionToken,
  operator.registerKey,
  clock.getClock,
  clock.advanceClock,
  clock.freezeClock,
  clock.resumeClock,
  records.listMachines,
  records.listRecords,
  records.getRecord,
  records.moveRecord,
  account.getLedger,
  inbox.listMessages,
  inbox.waitForMessage,
  inbox.replyAsPerson,
  people.registerPerson,
  people.listPeople,
  people.getPerson,
  operations.listOperations,
  catalogue.listOutcomes,
  rules.listRulesOperation,
  rules.createRule,
  rules.deleteRule,
  held.listHeld,
  held.waitForHeld,
  held.releaseHeld,
  held.dropHeld,
  scenarios.listScenarios,
  scenarios.getScenario,
  scenarios.loadBuiltInScenario,
  scenarios.runScenarioLive,
  scenarios.playScenario,
  scenarios.leaveScenario,
  webhooks.listWebhooks,
  webhooks.addWebhook,
  webhooks.deleteWebhook,
  webhooks.streamRelay,
  webhooks.answerRelayed,
  webhooks.sendThroughRelay,
  events.listEvents,
  events.waitForEvent,
  events.triggerEvent,
  events.listDeliveries,
  events.getDelivery,
  events.retryDelivery,
  activity.listActivity,
  activity.explainActivity,
  stream.streamActivity,
  requests.listRequests,
  requests.expectRequest,
  coverage.getCoverage,
  conduct.getConduct,
  coverage.resetCoverage,
  pact.changeProviderState,
  catalogue.listAssumptions,
  acts.startPhoneFromDashboard,
  acts.visitAddress,
  acts.publishDomainProof,
  acts.payCheckout,
] as const;

export const controlOperations: readonly AnyOperation[] = all;

/** The types of the operations by id, for clients. */
export type ControlOperations = { [O in (typeof all)[number] as O["id"]]: TypesOf<O> };

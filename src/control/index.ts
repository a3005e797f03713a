/** Every operation of the control API, on one screen. */
import type { AnyOperation, TypesOf } from "../contract/operation.js";
import { getAccount, getLedger, resetAccount, rewindAccount, updateAccount } from "./account.js";
import { explainActivity, listActivity } from "./activity.js";
import { payCheckout, publishDomainProof, startPhoneFromDashboard, visitAddress } from "./acts.js";
import { restoreHistory } from "./bundle/bundle.js";
import { getControlContract, getServiceContract, listAssumptions, listOutcomes } from "./catalogue.js";
import { advanceClock, freezeClock, getClock, resumeClock } from "./clock.js";
import { getConduct } from "./conduct.js";
import { getCoverage, resetCoverage } from "./coverage.js";
import {
  getDelivery,
  getEvent,
  listDeliveries,
  listEvents,
  retryDelivery,
  triggerEvent,
  waitForEvent,
} from "./events.js";
import { exportAccount } from "./export.js";
import { dropHeld, listHeld, releaseHeld, waitForHeld } from "./held.js";
import { listMessages, replyAsPerson, waitForMessage } from "./inbox.js";
import { listOperations } from "./operations.js";
import {
  createSessionToken,
  getHealth,
  getMetrics,
  getReadiness,
  listAccounts,
  registerKey,
} from "./operator.js";
import { changeProviderState } from "./pact.js";
import { getPerson, listPeople, registerPerson } from "./people.js";
import { getRecord, listMachines, listRecords, moveRecord } from "./records.js";
import { expectRequest, getRequest, listRequests } from "./requests.js";
import { createRule, deleteRule, listRulesOperation } from "./rules.js";
import {
  getScenario,
  leaveScenario,
  listScenarios,
  loadBuiltInScenario,
  playScenario,
  runScenarioLive,
} from "./scenarios.js";
import { getSnapshot, restoreSnapshot } from "./snapshot.js";
import { streamActivity } from "./stream.js";
import {
  addWebhook,
  answerRelayed,
  deleteWebhook,
  listWebhooks,
  sendThroughRelay,
  streamRelay,
} from "./webhooks.js";

const operations = [
  getHealth,
  getReadiness,
  getMetrics,
  getServiceContract,
  getControlContract,
  getAccount,
  updateAccount,
  resetAccount,
  listAccounts,
  getSnapshot,
  restoreSnapshot,
  rewindAccount,
  exportAccount,
  restoreHistory,
  createSessionToken,
  registerKey,
  getClock,
  advanceClock,
  freezeClock,
  resumeClock,
  listMachines,
  listRecords,
  getRecord,
  moveRecord,
  getLedger,
  listMessages,
  waitForMessage,
  replyAsPerson,
  registerPerson,
  listPeople,
  getPerson,
  listOperations,
  listOutcomes,
  listRulesOperation,
  createRule,
  deleteRule,
  listHeld,
  waitForHeld,
  releaseHeld,
  dropHeld,
  listScenarios,
  getScenario,
  loadBuiltInScenario,
  runScenarioLive,
  playScenario,
  leaveScenario,
  listWebhooks,
  addWebhook,
  deleteWebhook,
  streamRelay,
  answerRelayed,
  sendThroughRelay,
  listEvents,
  waitForEvent,
  getEvent,
  triggerEvent,
  listDeliveries,
  getDelivery,
  retryDelivery,
  listActivity,
  explainActivity,
  streamActivity,
  listRequests,
  getRequest,
  expectRequest,
  getCoverage,
  getConduct,
  resetCoverage,
  changeProviderState,
  listAssumptions,
  startPhoneFromDashboard,
  visitAddress,
  publishDomainProof,
  payCheckout,
] as const;

export const controlOperations: readonly AnyOperation[] = operations;

/** The types of the operations by id, for clients. */
export type ControlOperations = { [O in (typeof operations)[number] as O["id"]]: TypesOf<O> };

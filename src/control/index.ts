/** Every operation of the control API, on one screen. */
import type { AnyOperation, TypesOf } from "../contract/operation.js";
import { getAccount, resetAccount, updateAccount } from "./account.js";
import { listAccounts } from "./accounts.js";
import { explainActivity, listActivity } from "./activity.js";
import { visitAddress } from "./address.js";
import { listAssumptions } from "./assumptions.js";
import { getBundle, restoreHistory } from "./bundle/bundle.js";
import { getHar } from "./bundle/har.js";
import { payCheckout } from "./checkout.js";
import { advanceClock, freezeClock, getClock, resumeClock } from "./clock.js";
import { getCluster } from "./cluster.js";
import { getConduct } from "./conduct.js";
import { getControlContract, getServiceContract } from "./contracts.js";
import { getCoverage, resetCoverage } from "./coverage.js";
import { getDelivery, listDeliveries, retryDelivery } from "./deliveries.js";
import { publishDomainProof } from "./domains.js";
import { getEvent, listEvents, triggerEvent, waitForEvent } from "./events.js";
import { expectRequest } from "./expect.js";
import { getHealth, getMetrics, getReadiness } from "./health.js";
import { dropHeld, listHeld, releaseHeld, waitForHeld } from "./held.js";
import { listMessages, replyAsPerson, waitForMessage } from "./inbox.js";
import { createSessionToken, registerKey } from "./keys.js";
import { getLedger } from "./ledger.js";
import { listMachines, listRecords } from "./machines.js";
import { listOutcomes } from "./outcomes.js";
import { changeProviderState, listProviderStates } from "./pact.js";
import { exportPact } from "./pact-export.js";
import { getPerson, listPeople, registerPerson } from "./people.js";
import { startPhoneFromDashboard } from "./phone.js";
import { getRecording } from "./recording.js";
import { getRecord, moveRecord } from "./records.js";
import { answerRelayed, getRelay, leaveRelay, sendThroughRelay, streamRelay } from "./relays.js";
import { getRequest, listRequests } from "./requests.js";
import { rewindAccount } from "./rewind.js";
import { createRule, deleteRule, listRulesOperation } from "./rules.js";
import { runScenarioLive } from "./scenario-run.js";
import { getScenario, leaveScenario, listScenarios, loadBuiltInScenario, playScenario } from "./scenarios.js";
import { getSnapshot, restoreSnapshot } from "./snapshot.js";
import { streamActivity } from "./stream.js";
import { addWebhook, deleteWebhook, listWebhooks } from "./webhooks.js";

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
  getCluster,
  getSnapshot,
  restoreSnapshot,
  rewindAccount,
  getBundle,
  getHar,
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
  getRecording,
  listWebhooks,
  addWebhook,
  deleteWebhook,
  getRelay,
  streamRelay,
  answerRelayed,
  sendThroughRelay,
  leaveRelay,
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
  listProviderStates,
  changeProviderState,
  exportPact,
  listAssumptions,
  startPhoneFromDashboard,
  visitAddress,
  publishDomainProof,
  payCheckout,
] as const;

export const controlOperations: readonly AnyOperation[] = operations;

/** The types of the operations by id, for clients. */
export type ControlOperations = { [O in (typeof operations)[number] as O["id"]]: TypesOf<O> };

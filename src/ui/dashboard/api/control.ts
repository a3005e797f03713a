/**
 * The operations of the control API that the dashboard uses. Their types are those of the operations themselves.
 * Add a line for each one that a screen needs.
 */
import type { BodyOf, QueryOf, ReplyOf } from "../../../contract/operation.js";
import type { getAccount, resetAccount } from "../../../control/account.js";
import type { listAccounts } from "../../../control/accounts.js";
import type { explainActivity, listActivity } from "../../../control/activity.js";
import type { listAssumptions } from "../../../control/assumptions.js";
import type { advanceClock, freezeClock, getClock, resumeClock } from "../../../control/clock.js";
import type { getCoverage } from "../../../control/coverage.js";
import type { getDelivery, listDeliveries, retryDelivery } from "../../../control/deliveries.js";
import type { getEvent, listEvents, triggerEvent } from "../../../control/events.js";
import type { listMessages, replyAsPerson } from "../../../control/inbox.js";
import type { createSessionToken } from "../../../control/keys.js";
import type { getLedger } from "../../../control/ledger.js";
import type { listMachines, listRecords } from "../../../control/machines.js";
import type { listOutcomes } from "../../../control/outcomes.js";
import type { listPeople } from "../../../control/people.js";
import type { getRecording } from "../../../control/recording.js";
import type { getRecord, moveRecord } from "../../../control/records.js";
import type { getRequest } from "../../../control/requests.js";
import type { rewindAccount } from "../../../control/rewind.js";
import type { createRule, deleteRule, listRulesOperation } from "../../../control/rules.js";
import type { leaveScenario, listScenarios, loadBuiltInScenario } from "../../../control/scenarios.js";
import type { addWebhook, deleteWebhook, listWebhooks } from "../../../control/webhooks.js";
import type { Scenario } from "../../../scenarios/scenario-file.js";
import { request, requestLines, toQuery } from "./request.js";

/** Fields that may be undefined, which are omitted from the call. */
type Partly<T> = { [K in keyof T]?: T[K] | undefined };

const part = encodeURIComponent;

export const control = {
  account: () => request<ReplyOf<typeof getAccount>>("GET", "/account"),
  accounts: () => request<ReplyOf<typeof listAccounts>>("GET", "/accounts"),
  reset: () => request<ReplyOf<typeof resetAccount>>("POST", "/reset"),
  rewind: (body: BodyOf<typeof rewindAccount>) =>
    request<ReplyOf<typeof rewindAccount>>("POST", "/rewind", body),
  createSessionToken: () => request<ReplyOf<typeof createSessionToken>>("POST", "/session-token"),

  recording: (query: QueryOf<typeof getRecording>) =>
    request<ReplyOf<typeof getRecording>>("GET", `/recording${toQuery(query)}`),

  clock: () => request<ReplyOf<typeof getClock>>("GET", "/clock"),
  advance: (body: BodyOf<typeof advanceClock>) =>
    request<ReplyOf<typeof advanceClock>>("POST", "/clock/advance", body),
  freeze: (body: BodyOf<typeof freezeClock> = {}) =>
    request<ReplyOf<typeof freezeClock>>("POST", "/clock/freeze", body),
  resume: () => request<ReplyOf<typeof resumeClock>>("POST", "/clock/resume"),

  activity: (query: Partly<QueryOf<typeof listActivity>>) =>
    request<ReplyOf<typeof listActivity>>("GET", `/activity${toQuery(query)}`),
  explain: (id: string) => request<ReplyOf<typeof explainActivity>>("GET", `/activity/${part(id)}`),

  messages: (query: Partly<QueryOf<typeof listMessages>>) =>
    request<ReplyOf<typeof listMessages>>("GET", `/inbox${toQuery(query)}`),
  replyAsPerson: (body: BodyOf<typeof replyAsPerson>) =>
    request<ReplyOf<typeof replyAsPerson>>("POST", "/inbox/reply", body),

  request: (id: string) => request<ReplyOf<typeof getRequest>>("GET", `/requests/${part(id)}`),

  deliveries: (query: Partly<QueryOf<typeof listDeliveries>>) =>
    request<ReplyOf<typeof listDeliveries>>("GET", `/deliveries${toQuery(query)}`),
  delivery: (id: string) => request<ReplyOf<typeof getDelivery>>("GET", `/deliveries/${part(id)}`),
  retryDelivery: (id: string) =>
    request<ReplyOf<typeof retryDelivery>>("POST", `/deliveries/${part(id)}/retry`),
  events: (query: Partly<QueryOf<typeof listEvents>>) =>
    request<ReplyOf<typeof listEvents>>("GET", `/events${toQuery(query)}`),
  event: (id: string) => request<ReplyOf<typeof getEvent>>("GET", `/events/${part(id)}`),
  sendEvent: (body: BodyOf<typeof triggerEvent>) =>
    request<ReplyOf<typeof triggerEvent>>("POST", "/events", body),
  webhooks: () => request<ReplyOf<typeof listWebhooks>>("GET", "/webhooks"),
  addWebhook: (body: BodyOf<typeof addWebhook>) =>
    request<ReplyOf<typeof addWebhook>>("POST", "/webhooks", body),
  deleteWebhook: (id: string) => request<ReplyOf<typeof deleteWebhook>>("DELETE", `/webhooks/${part(id)}`),

  machines: () => request<ReplyOf<typeof listMachines>>("GET", "/machines"),
  records: (machine: string, query: Partly<QueryOf<typeof listRecords>>) =>
    request<ReplyOf<typeof listRecords>>("GET", `/machines/${part(machine)}/records${toQuery(query)}`),
  record: (id: string) => request<ReplyOf<typeof getRecord>>("GET", `/records/${part(id)}`),
  moveRecord: (id: string, move: string, input: object = {}) =>
    request<ReplyOf<typeof moveRecord>>("POST", `/records/${part(id)}/moves/${part(move)}`, input),
  ledger: (query: Partly<QueryOf<typeof getLedger>>) =>
    request<ReplyOf<typeof getLedger>>("GET", `/ledger${toQuery(query)}`),

  rules: () => request<ReplyOf<typeof listRulesOperation>>("GET", "/rules"),
  createRule: (body: BodyOf<typeof createRule>) =>
    request<ReplyOf<typeof createRule>>("POST", "/rules", body),
  deleteRule: (id: string) => request<ReplyOf<typeof deleteRule>>("DELETE", `/rules/${part(id)}`),

  coverage: () => request<ReplyOf<typeof getCoverage>>("GET", "/coverage?scope=account"),
  assumptions: () => request<ReplyOf<typeof listAssumptions>>("GET", "/assumptions"),
  scenario: (name: string) => request<Scenario>("GET", `/scenarios/${part(name)}`),
  leaveScenario: (name: string) =>
    request<ReplyOf<typeof leaveScenario>>("DELETE", `/scenarios/${part(name)}`),
  /** Yields the reports of a run, one line at a time. */
  runScenario: (name: string) => requestLines(`/scenarios/${part(name)}/run`),
  people: () => request<ReplyOf<typeof listPeople>>("GET", "/people"),
  outcomes: () => request<ReplyOf<typeof listOutcomes>>("GET", "/outcomes"),
  scenarios: () => request<ReplyOf<typeof listScenarios>>("GET", "/scenarios"),
  loadScenario: (name: string) =>
    request<ReplyOf<typeof loadBuiltInScenario>>("POST", `/scenarios/${part(name)}/load`),
};

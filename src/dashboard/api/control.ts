/**
 * The operations of the control API that the dashboard uses. Their types are those of the operations themselves.
 * Add a line for each one that a screen needs.
 */
import type { BodyOf, QueryOf, ReplyOf } from "../../contract/operation.js";
import type { getAccount, resetAccount } from "../../control/account.js";
import type { listAccounts } from "../../control/accounts.js";
import type { explainActivity, listActivity } from "../../control/activity.js";
import type { advanceClock, freezeClock, getClock, resumeClock } from "../../control/clock.js";
import type { listMessages, replyAsPerson } from "../../control/inbox.js";
import type { createSessionToken } from "../../control/keys.js";
import type { listOutcomes } from "../../control/outcomes.js";
import type { getRequest } from "../../control/requests.js";
import type { listScenarios, loadBuiltInScenario } from "../../control/scenarios.js";
import { request, toQuery } from "./request.js";

/** Fields that may be there without a value, which are left out of the call. */
type Partly<T> = { [K in keyof T]?: T[K] | undefined };

const part = encodeURIComponent;

export const control = {
  account: () => request<ReplyOf<typeof getAccount>>("GET", "/account"),
  accounts: () => request<ReplyOf<typeof listAccounts>>("GET", "/accounts"),
  reset: () => request<ReplyOf<typeof resetAccount>>("POST", "/reset"),
  createSessionToken: () => request<ReplyOf<typeof createSessionToken>>("POST", "/session-token"),

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

  outcomes: () => request<ReplyOf<typeof listOutcomes>>("GET", "/outcomes"),
  scenarios: () => request<ReplyOf<typeof listScenarios>>("GET", "/scenarios"),
  loadScenario: (name: string) =>
    request<ReplyOf<typeof loadBuiltInScenario>>("POST", `/scenarios/${part(name)}/load`),
};

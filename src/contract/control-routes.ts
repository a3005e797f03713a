/**
 * The routes of the control API by the ids of its operations. Each path of the control API is written only here:
 * operations, clients and texts take it from this table.
 */

import { fillPath, matchPath, methodOf, pathOf, type Route } from "./route.js";

/** Path prefix of the control API. A few operations are at the root, where operators of a server look for them. */
export const controlPrefix = "/_sandbox";

export const controlRoutes = {
  getHealth: "GET /healthz",
  getReadiness: "GET /readyz",
  getMetrics: "GET /metrics",
  getServiceContract: "GET /openapi.json",
  getControlContract: "GET /_sandbox/openapi.json",
  getAccount: "GET /_sandbox/account",
  updateAccount: "PATCH /_sandbox/account",
  resetAccount: "POST /_sandbox/reset",
  listAccounts: "GET /_sandbox/accounts",
  getSnapshot: "GET /_sandbox/snapshot",
  restoreSnapshot: "PUT /_sandbox/snapshot",
  rewindAccount: "POST /_sandbox/rewind",
  exportAccount: "GET /_sandbox/export/{kind}",
  restoreHistory: "PUT /_sandbox/bundle/history",
  createSessionToken: "POST /_sandbox/session-token",
  registerKey: "POST /_sandbox/keys",
  getClock: "GET /_sandbox/clock",
  advanceClock: "POST /_sandbox/clock/advance",
  freezeClock: "POST /_sandbox/clock/freeze",
  resumeClock: "POST /_sandbox/clock/resume",
  listMachines: "GET /_sandbox/machines",
  listRecords: "GET /_sandbox/machines/{machine}/records",
  getRecord: "GET /_sandbox/records/{id}",
  moveRecord: "POST /_sandbox/records/{id}/moves/{move}",
  getLedger: "GET /_sandbox/ledger",
  listMessages: "GET /_sandbox/inbox",
  waitForMessage: "GET /_sandbox/inbox/wait",
  replyAsPerson: "POST /_sandbox/inbox/reply",
  registerPerson: "POST /_sandbox/people",
  listPeople: "GET /_sandbox/people",
  getPerson: "GET /_sandbox/people/{number}",
  listOperations: "GET /_sandbox/operations",
  listOutcomes: "GET /_sandbox/outcomes",
  listRules: "GET /_sandbox/rules",
  createRule: "POST /_sandbox/rules",
  deleteRule: "DELETE /_sandbox/rules/{id}",
  listHeld: "GET /_sandbox/held",
  waitForHeld: "GET /_sandbox/held/wait",
  releaseHeld: "POST /_sandbox/held/{id}/release",
  dropHeld: "POST /_sandbox/held/{id}/drop",
  listScenarios: "GET /_sandbox/scenarios",
  getScenario: "GET /_sandbox/scenarios/{name}",
  loadScenario: "POST /_sandbox/scenarios/{name}/load",
  runScenario: "POST /_sandbox/scenarios/{name}/run",
  playScenario: "POST /_sandbox/scenarios",
  leaveScenario: "DELETE /_sandbox/scenarios/{name}",
  listWebhooks: "GET /_sandbox/webhooks",
  addWebhook: "POST /_sandbox/webhooks",
  deleteWebhook: "DELETE /_sandbox/webhooks/{id}",
  streamRelay: "GET /_sandbox/relays/{name}/stream",
  answerRelayed: "POST /_sandbox/relays/{name}/answers",
  sendThroughRelay: "POST /_sandbox/relays/{name}/requests",
  listEvents: "GET /_sandbox/events",
  waitForEvent: "GET /_sandbox/events/wait",
  triggerEvent: "POST /_sandbox/events",
  listDeliveries: "GET /_sandbox/deliveries",
  getDelivery: "GET /_sandbox/deliveries/{id}",
  retryDelivery: "POST /_sandbox/deliveries/{id}/retry",
  listActivity: "GET /_sandbox/activity",
  explainActivity: "GET /_sandbox/activity/{id}",
  streamActivity: "GET /_sandbox/stream",
  listRequests: "GET /_sandbox/requests",
  expectRequest: "POST /_sandbox/requests/expect",
  getCoverage: "GET /_sandbox/coverage",
  resetCoverage: "DELETE /_sandbox/coverage",
  getConduct: "GET /_sandbox/conduct",
  changeProviderState: "POST /_sandbox/pact/states",
  listAssumptions: "GET /_sandbox/assumptions",
  startPhoneFromDashboard: "POST /_sandbox/phone/start",
  visitAddress: "POST /_sandbox/address/{id}/visit",
  publishDomainProof: "POST /_sandbox/domains/{domain}/proof",
  payCheckout: "POST /_sandbox/checkout/{reference}/pay",
} as const satisfies Readonly<Record<string, Route>>;

export type ControlOperationId = keyof typeof controlRoutes;

/** Returns the path of an operation of the control API, with placeholders for its parameters. */
export const controlPath = (id: ControlOperationId): string => pathOf({ route: controlRoutes[id] });

/** Returns whether a path belongs to the control API. */
export const isControlPath = (path: string): boolean =>
  path === controlPrefix || path.startsWith(`${controlPrefix}/`);

interface RemovedOperation {
  readonly route: Route;
  /** Operation or command to use instead. */
  readonly instead: string;
}

/** Returns an operation that had its own path in 0.2 and is now a kind of export. */
const movedToExport = (path: string, kind: string): RemovedOperation => ({
  route: `GET ${controlPrefix}/${path}`,
  instead: `use exportAccount with kind=${kind}, ${fillPath(controlRoutes.exportAccount, () => kind)}`,
});

/** Returns an operation that got one item, for which the list of its kind is used now. */
const movedToList = (path: string, list: "listEvents" | "listRequests"): RemovedOperation => ({
  route: `GET ${controlPrefix}/${path}/{id}`,
  instead: `use ${list} with its id, ${controlRoutes[list]}?id=…`,
});

/** Operations of the control API that were removed since 0.2, with their replacements. Each is refused by its name. */
const removedOperations: Readonly<Record<string, RemovedOperation>> = {
  getCluster: {
    route: `GET ${controlPrefix}/cluster`,
    instead: `the reply of ${controlRoutes.listAccounts} has the replicas`,
  },
  getRelay: {
    route: `GET ${controlPrefix}/relays/{name}`,
    instead: `the reply of ${controlRoutes.answerRelayed} has the number of listeners`,
  },
  leaveRelay: {
    route: `DELETE ${controlPrefix}/relays/{name}/listeners/{listener}`,
    instead: `use ${controlRoutes.answerRelayed} with "leave": true`,
  },
  getBundle: movedToExport("bundle", "bundle"),
  getHar: movedToExport("har", "har"),
  getEvent: movedToList("events", "listEvents"),
  getRequest: movedToList("requests", "listRequests"),
  getRecording: movedToExport("recording", "scenario"),
  exportPact: movedToExport("pact/export", "pact"),
  listProviderStates: {
    route: `GET ${controlPrefix}/pact/states`,
    instead: 'use "standin verify --states"',
  },
};

/** Describes what to use instead of a removed operation. Null if there was no operation with this id. */
export function describeRemovedOperation(id: string): string | null {
  const removed = Object.hasOwn(removedOperations, id) ? removedOperations[id] : undefined;
  return removed ? `${id} was removed in version 0.3: ${removed.instead}` : null;
}

/** Describes what to use instead of a removed route. Null if there was nothing at this path. */
export function describeRemovedRoute(method: string, path: string): string | null {
  const [id] =
    Object.entries(removedOperations).find(
      ([, removed]) => methodOf(removed) === method && matchPath(pathOf(removed), path),
    ) ?? [];
  return id === undefined ? null : `${method} ${path}, ${describeRemovedOperation(id)}`;
}

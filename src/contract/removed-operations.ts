/** What the control API had in 0.2 and has not in 0.3: each operation is refused by its name, with what to use instead. */
import { controlPrefix, controlRoutes } from "./control-routes.js";
import { matchPath } from "./match-path.js";
import { methodOf, pathOf, type Route } from "./route.js";

interface RemovedOperation {
  readonly route: Route;
  /** What to use in its place. */
  readonly instead: string;
}

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
  listProviderStates: {
    route: `GET ${controlPrefix}/pact/states`,
    instead: 'use "standin verify --states"',
  },
};

/** Says that an operation was removed, and what to use in its place. Null if there was none of this id. */
export function describeRemovedOperation(id: string): string | null {
  const removed = Object.hasOwn(removedOperations, id) ? removedOperations[id] : undefined;
  return removed ? `${id} was removed in version 0.3: ${removed.instead}` : null;
}

/** Says that what was at this path was removed, and what to use in its place. Null if there was nothing. */
export function describeRemovedRoute(method: string, path: string): string | null {
  const [id] =
    Object.entries(removedOperations).find(
      ([, removed]) => methodOf(removed) === method && matchPath(pathOf(removed), path),
    ) ?? [];
  return id === undefined ? null : `${method} ${path}, ${describeRemovedOperation(id)}`;
}

/** Groups operations under tags by path. */
import { controlPrefix } from "../../contract/control-routes.js";
import { pathOf, type Route } from "../../contract/operation.js";
import { covers, type PathGroup } from "../../service/sections.js";

/** The groups of the control API. Their paths are below its prefix, except those at the root. */
export const controlTags: readonly PathGroup[] = [
  {
    name: "Server",
    description: "Whether the sandbox is alive and ready, its figures, its replicas and its contracts.",
    paths: [
      "/healthz",
      "/readyz",
      "/metrics",
      "/openapi.json",
      ...below("openapi.json", "operations", "cluster", "assumptions"),
    ],
  },
  {
    name: "Accounts",
    description: "Settings, balance and plan of an account, registered keys, session tokens, and a reset.",
    paths: below("account", "accounts", "reset", "keys", "session-token"),
  },
  {
    name: "Snapshots",
    description: "The whole state of an account as a document, a rewind of it, and exports of what happened.",
    paths: below("snapshot", "rewind", "bundle", "export"),
  },
  {
    name: "Clock",
    description: "Read, advance, freeze and resume the account's clock.",
    paths: below("clock"),
  },
  {
    name: "Records",
    description: "The state machines, their records with the moves that are legal now, and the ledger.",
    paths: below("machines", "records", "ledger"),
  },
  {
    name: "Inbox and people",
    description: "What people would have received, what they answer, and people of a test's own.",
    paths: below("inbox", "people"),
  },
  {
    name: "Rules",
    description: "Outcomes by name, rules that decide outcomes and faults, and what rules hold.",
    paths: below("outcomes", "rules", "held"),
  },
  {
    name: "Scenarios",
    description: "Load, run and play scenarios.",
    paths: below("scenarios"),
  },
  {
    name: "Webhooks",
    description:
      "Endpoints, events sent by hand, deliveries with their attempts, and relays to receivers elsewhere.",
    paths: below("webhooks", "relays", "events", "deliveries"),
  },
  {
    name: "Activity",
    description:
      "What happened and why, as a list and as a stream, the requests, and requests that a test expects.",
    paths: below("activity", "stream", "requests"),
  },
  {
    name: "Verdicts",
    description: "What the client has tried so far, and what it did that would hurt it with the service.",
    paths: below("coverage", "conduct"),
  },
  {
    name: "Pacts",
    description: "Provider states, as a verifier of pacts asks for them.",
    paths: below("pact"),
  },
  {
    name: "Stand-ins for people and pages",
    description: "What people do on a phone, at an address, on a domain and on the checkout page.",
    paths: below("phone", "address", "domains", "checkout"),
  },
];

function below(...names: string[]): string[] {
  return names.map((name) => `${controlPrefix}/${name}`);
}

/** Returns the tag of an operation. Throws if no tag covers its path. */
export function tagOf(operation: { route: Route }, tags: readonly PathGroup[]): PathGroup {
  const path = pathOf(operation);
  const tag = tags.find((group) => covers(group, path));
  if (!tag) throw new Error(`no tag of src/documents/openapi/tags.ts covers ${path}`);
  return tag;
}

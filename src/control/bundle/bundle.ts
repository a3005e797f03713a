/** Bundles: everything about an account in one document, to look at elsewhere (design: "From what happened to a test"). */
import { createHash } from "node:crypto";
import * as Type from "typebox";
import { Refusal } from "../../contract/errors.js";
import { Timestamp } from "../../contract/schemas.js";
import { delivery } from "../../world/outbox/delivery.js";
import type { Snapshot } from "../../world/snapshot/snapshot.js";
import { snapshotText } from "../../world/snapshot/write.js";
import { gatherText } from "../../world/text-pieces.js";
import { operation } from "../operation.js";
import { OpaqueObject } from "../schemas.js";
import { viewActivity } from "../view-activity.js";
import { viewDelivery } from "../view-delivery.js";
import { viewRequest } from "../view-request.js";
import { readHistory } from "./history.js";
import { collectSecrets, maskForm, redactor } from "./redact-bundle.js";

const Tables = Type.Object({ state: OpaqueObject });

export const getBundle = operation({
  id: "getBundle",
  route: "GET /_sandbox/bundle",
  summary:
    "Get the account's state, activities, requests, deliveries and assumptions as one document without secrets",
  description:
    "For a report of what happened: `standin bundle` writes it, and `standin open` shows it. Keys, codes, identity and card numbers, expected answers and the webhook secret are replaced by `[redacted]`. Names, phone numbers and texts remain.",
  auth: "control",
  reply: {
    200: Type.Object({
      standin: Type.Object({ bundle: Type.Literal(1), version: Type.String() }),
      platform: Type.Object({ node: Type.String(), os: Type.String(), arch: Type.String() }),
      mode: Type.Enum(["test", "live"]),
      now: Timestamp,
      assumptions: Type.Record(Type.String(), Type.String(), { description: "Values in force" }),
      snapshot: OpaqueObject,
      history: Tables,
      deliveries: Type.Array(OpaqueObject),
    }),
  },

  async handle({ account, sandbox }) {
    const snapshot = JSON.parse(
      Buffer.concat(await gatherText(snapshotText(account, sandbox.version))).toString(),
    ) as Snapshot;
    const requests = await account.requests.list();
    const secrets = new Set<string>();
    collectSecrets(snapshot.state, secrets);
    for (const { body, reply } of requests) collectSecrets([body, reply], secrets);
    for (const { call } of account.activities.log.oldest())
      collectSecrets([call?.body, call?.reply], secrets);
    const redact = redactor(secrets);
    const activities = [...account.activities.log.oldest()].map((activity) => {
      const { wrote } = activity;
      return [activity.id, redact({ ...viewActivity(activity, sandbox), wrote })] as const;
    });
    const history = {
      activity: Object.fromEntries(activities),
      requests: Object.fromEntries(
        [...requests].reverse().map((entry) => [entry.id, redact(viewRequest(entry))]),
      ),
    };
    const deliveries = [...account.records.newest(delivery)].map((record) =>
      redact(viewDelivery(account, record, sandbox)),
    );
    const state = redact(snapshot.state) as Snapshot["state"];
    const { scenario } = snapshot.state;
    // Its timeline is checked against the schemas of the operations.
    const loaded = scenario ? { scenario: redactor(secrets, maskForm)(scenario) as typeof scenario } : {};
    return {
      standin: { bundle: 1 as const, version: sandbox.version },
      platform: { node: process.version, os: process.platform, arch: process.arch },
      mode: account.live ? ("live" as const) : ("test" as const),
      now: account.clock.iso(),
      assumptions: { ...sandbox.assumptions } as Record<string, string>,
      snapshot: signed({ ...snapshot, state: { ...state, ...loaded } }),
      history: { state: history },
      deliveries: deliveries as Record<string, unknown>[],
    };
  },
});

/** Returns the snapshot with the checksum of what it now contains. */
function signed({ checksum: _, ...document }: Snapshot): Record<string, unknown> {
  return { ...document, checksum: createHash("sha256").update(JSON.stringify(document)).digest("hex") };
}

export const restoreHistory = operation({
  id: "restoreHistory",
  route: "PUT /_sandbox/bundle/history",
  summary:
    "Replace the activities and requests of the account by those of a bundle, after its snapshot was restored",
  auth: "control",
  body: OpaqueObject,
  takesSnapshot: true,
  isUnrecorded: true,
  reply: { 200: Type.Object({ activities: Type.Integer(), requests: Type.Integer() }) },
  refuses: ["validation_error"],

  async handle({ account, body }) {
    const { activities, requests } = await readHistory(body).catch((error: Error) => {
      throw new Refusal("validation_error", { param: "state", message: error.message });
    });
    const { log } = account.activities;
    log.clear();
    account.requests.clear();
    for (const activity of activities) log.publish(activity);
    for (const entry of requests) account.requests.add(entry);
    return { activities: activities.length, requests: requests.length };
  },
});

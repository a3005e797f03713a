/** Schemas of webhook payloads; assumption webhooks.payload. */
import * as Type from "typebox";
import { exactly, id, Timestamp } from "../../contract/schemas.js";
import type { Assumptions } from "../assumptions.js";
import { type EventKind, eventKinds, events } from "./events.js";

const assumed = { "x-assumption": "webhooks.payload" };

function extendedSchema(kind: EventKind): Type.TSchema {
  const { data } = events[kind];
  if (kind === "verification.completed") {
    return exactly({ event: Type.Literal(kind), job_id: id("ver_"), created_at: Timestamp, data });
  }
  return exactly(
    { id: id("evt_"), event: Type.Literal(kind), created_at: Timestamp, is_test: Type.Boolean(), data },
    assumed,
  );
}

/** Returns the schema under `webhooks.payload=bare`. */
const bareSchema = (kind: EventKind): Type.TSchema =>
  exactly({ event: Type.Literal(kind), created_at: Timestamp, data: events[kind].data }, assumed);

const payloads = new Map(eventKinds.map((kind) => [kind, extendedSchema(kind)]));

/** Returns the schema of the body of a delivery. `inForce` defaults to the default assumptions. */
export function payloadSchema(kind: EventKind, inForce?: Assumptions): Type.TSchema {
  const isBare = inForce?.["webhooks.payload"] === "bare" && kind !== "verification.completed";
  if (isBare) return bareSchema(kind);
  return payloads.get(kind) as Type.TSchema;
}

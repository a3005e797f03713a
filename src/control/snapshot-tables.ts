/** Schemas of the tables of a snapshot, which may come from an untrusted source. */
import type { TSchema } from "typebox";
import * as Type from "typebox";
import type { AnyOperation } from "../contract/operation.js";
import { nullable, Timestamp } from "../contract/schemas.js";
import { TimelineEntry } from "../scenarios/timeline-entry.js";
import { RegisteredPersonView } from "../service/people/schemas.js";
import { WebhookEndpoint } from "../service/webhooks/schemas.js";
import { DeliveryAttempt } from "../world/webhooks/delivery.js";
import { listMessages } from "./inbox.js";
import { listRulesOperation } from "./rules.js";
import { AnyObject, type items } from "./schemas.js";

/** Returns the schema of the items of a list operation that shows records as they are stored. */
const entryOf = ({ reply }: AnyOperation): TSchema =>
  (reply[200] as ReturnType<typeof items>).properties.items.items;

const Word = Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 });

/** Settings that are missing get their default. */
export const AccountTable = Type.Object({
  origin: Type.Optional(Type.Object({ seed: Type.String(), account: Type.String() })),
  settings: Type.Partial(
    Type.Object({
      plan: Type.Enum(["starter", "growth", "business"]),
      tools_pass: Type.Boolean(),
      business_verified: Type.Boolean(),
      free_tier: Type.Integer({ minimum: 0 }),
      free_tier_remaining: Type.Integer({ minimum: 0 }),
      free_tier_month: Type.String(),
      webhook_secret: Type.String({ minLength: 1 }),
    }),
  ),
  sequences: Type.Object({
    random: Type.Array(Word, { minItems: 4, maxItems: 4 }),
    jobs: Type.Integer({ minimum: 0, maximum: 2 ** 40 }),
  }),
  wallet: Type.Object({ balance: Type.Integer() }),
});

const Step = Type.Object({
  at: Timestamp,
  move: Type.String(),
  from: Type.String(),
  to: Type.String(),
  by: Type.String(),
});
export const MachineRecord = Type.Object({
  id: Type.String(),
  state: Type.String(),
  created_at: Timestamp,
  history: Type.Array(Step),
});

/** The last instant whose timestamp has a four-digit year. */
const maxInstant = 253_402_300_799_999;

/** Schemas of each table's records, limited to what the code that reads them relies on. */
export const tables: Readonly<Record<string, TSchema>> = {
  jobs: Type.Object({
    due: Type.Number({ minimum: 0, maximum: maxInstant }),
    order: Type.Integer({ minimum: 0, maximum: 2 ** 40 }),
    kind: Type.String(),
  }),
  usage: Type.Record(Type.String(), Type.Object({ count: Type.Number(), cost: Type.Number() })),
  ledger: Type.Record(Type.String(), Type.Integer()),
  ledger_entries: Type.Object({
    at: Timestamp,
    about: Type.String(),
    legs: Type.Record(Type.String(), Type.Integer()),
  }),
  code_sends: Type.Object({ at: Type.Array(Type.Number()) }),
  domain_proofs: Type.Partial(Type.Object({ dns_txt: Type.String(), well_known_file: Type.String() })),
  inbox: entryOf(listMessages),
  rules: entryOf(listRulesOperation),
  people: RegisteredPersonView,
  people_index: Type.Object({ person_id: Type.String() }),
  endpoints: Type.Object({
    ...Type.Pick(WebhookEndpoint, ["id", "events", "description", "created_at"]).properties,
    url: Type.String(),
  }),
  events: Type.Object({
    id: Type.String(),
    event: Type.String(),
    created_at: Timestamp,
    data: AnyObject,
    body: Type.String(),
  }),
  scenario: Type.Object({
    name: Type.String(),
    title: Type.String(),
    description: nullable(Type.String()),
    loaded_at: Timestamp,
    given: AnyObject,
    timeline: Type.Array(TimelineEntry),
  }),
  timeline: Type.Object({ ran: Type.Integer({ minimum: 0 }), error: nullable(Type.String()) }),
  held_back: Type.Object({ ids: Type.Array(Type.String()) }),
  delivery: Type.Object({
    state: Type.Enum(["pending", "succeeded", "failed"]),
    event_id: Type.String(),
    event: Type.String(),
    endpoint_id: Type.String(),
    url: Type.String(),
    next_attempt_at: nullable(Timestamp),
    by_hand: Type.Boolean(),
    tamper: Type.Optional(Type.Enum(["signature", "body", "unsigned"])),
    attempts: Type.Array(DeliveryAttempt),
  }),
};

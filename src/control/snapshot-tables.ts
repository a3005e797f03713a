/** Schemas of the tables of a snapshot, which may come from an untrusted source. */
import type { TSchema } from "typebox";
import * as Type from "typebox";
import type { AnyOperation } from "../contract/operation.js";
import { nullable, Timestamp } from "../contract/schemas.js";
import { rulesTable } from "../rules/rules.js";
import { scenarioTable, timelineTable } from "../scenarios/loaded-scenario.js";
import { TimelineEntry } from "../scenarios/timeline-entry.js";
import { sendsByPerson } from "../service/channels/codes.js";
import { domainProofs } from "../service/domains/domains.js";
import { RegisteredPersonView } from "../service/people/person.js";
import { people, peopleIndex } from "../service/people/registry.js";
import { WebhookEndpoint } from "../service/webhooks/webhooks.js";
import { messages } from "../world/account/inbox.js";
import { storedJobs } from "../world/jobs/jobs.js";
import { ledgerBalances, ledgerEntries } from "../world/money/ledger.js";
import { usageDays } from "../world/money/wallet.js";
import type { NamedTable } from "../world/store/table.js";
import { DeliveryAttempt, delivery, tamperings } from "../world/webhooks/delivery.js";
import { endpoints, heldBack, sentEvents } from "../world/webhooks/outbox.js";
import { settingFields } from "./account.js";
import { listMessages } from "./inbox.js";
import { listRulesOperation } from "./rules.js";
import { AnyObject } from "./schemas.js";

/** Returns the schema of the items of a list operation that shows records as they are stored. */
const entryOf = ({ reply }: AnyOperation): TSchema =>
  (reply[200] as Type.TObject<{ items: Type.TArray<TSchema> }>).properties.items.items;

const Word = Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 });

/** The account's own records. Missing settings get their defaults. */
export const AccountTable = Type.Object({
  origin: Type.Optional(Type.Object({ seed: Type.String(), account: Type.String() })),
  settings: Type.Partial(
    Type.Object({
      ...settingFields,
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

/** Returns the values, keyed by the names of their tables. */
export const byTable = <T>(values: readonly (readonly [NamedTable, T])[]): ReadonlyMap<string, T> =>
  new Map(values.map(([{ name }, value]) => [name, value]));

const Kobo = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });

/** Schemas of each table's records, as far as the code that reads them relies on it. */
export const schemas: ReadonlyMap<string, TSchema> = byTable<TSchema>([
  [
    storedJobs,
    Type.Object({
      due: Type.Number({ minimum: 0, maximum: maxInstant }),
      order: Type.Integer({ minimum: 0, maximum: 2 ** 40 }),
      kind: Type.String(),
    }),
  ],
  [usageDays, Type.Record(Type.String(), Type.Object({ count: Type.Number(), cost: Type.Number() }))],
  [ledgerBalances, Type.Record(Type.String(), Kobo)],
  [
    ledgerEntries,
    Type.Object({
      at: Timestamp,
      about: Type.String(),
      legs: Type.Record(Type.String(), Kobo),
    }),
  ],
  [sendsByPerson, Type.Object({ at: Type.Array(Type.Number()) })],
  [domainProofs, Type.Partial(Type.Object({ dns_txt: Type.String(), well_known_file: Type.String() }))],
  [messages, entryOf(listMessages)],
  [rulesTable, entryOf(listRulesOperation)],
  [people, RegisteredPersonView],
  [peopleIndex, Type.Object({ person_id: Type.String() })],
  [
    endpoints,
    Type.Object({
      ...Type.Pick(WebhookEndpoint, ["id", "events", "description", "created_at"]).properties,
      url: Type.String(),
      verify_tls: Type.Optional(Type.Boolean()),
    }),
  ],
  [
    sentEvents,
    Type.Object({
      id: Type.String(),
      event: Type.String(),
      created_at: Timestamp,
      data: AnyObject,
      body: Type.String(),
      says: Type.Optional(Type.String()),
    }),
  ],
  [
    scenarioTable,
    Type.Object({
      name: Type.String(),
      title: Type.String(),
      description: nullable(Type.String()),
      loaded_at: Timestamp,
      given: AnyObject,
      timeline: Type.Array(TimelineEntry),
      says: Type.Optional(Type.Array(Type.String())),
    }),
  ],
  [timelineTable, Type.Object({ ran: Type.Integer({ minimum: 0 }), error: nullable(Type.String()) })],
  [heldBack, Type.Object({ ids: Type.Array(Type.String()) })],
  [
    delivery,
    Type.Object({
      state: Type.Enum(["pending", "succeeded", "failed"]),
      event_id: Type.String(),
      event: Type.String(),
      endpoint_id: Type.String(),
      url: Type.String(),
      next_attempt_at: nullable(Timestamp),
      by_hand: Type.Boolean(),
      tamper: Type.Optional(Type.Enum([...tamperings])),
      set: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      lose_answer: Type.Optional(Type.Literal(true)),
      cut_off: Type.Optional(Type.Literal(true)),
      is_older: Type.Optional(Type.Literal(true)),
      attempts: Type.Array(DeliveryAttempt),
    }),
  ],
]);

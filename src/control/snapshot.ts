import type { TSchema } from "typebox";
import * as Type from "typebox";
import { Refusal } from "../contract/errors.js";
import { largestSnapshotMB } from "../contract/options.js";
import { JsonText } from "../contract/reply-forms.js";
import { exactly, Timestamp } from "../contract/schemas.js";
import { compileValidator, detailsOf } from "../contract/validate.js";
import { storedRuleProblem } from "../rules/check-rule.js";
import type { RuleBody } from "../rules/rule-input.js";
import { rulesTable } from "../rules/rules.js";
import { type LoadedScenario, scenarioTable } from "../scenarios/loaded-scenario.js";
import { formatProblem } from "../scenarios/problems.js";
import { events } from "../service/webhooks/events.js";
import { inTurns, Turns } from "../time/turns.js";
import type { Account } from "../world/account/account.js";
import { storedJobs } from "../world/jobs/jobs.js";
import { type LedgerEntry, ledgerAccounts, ledgerBalances, ledgerEntries } from "../world/money/ledger.js";
import { ownRecords } from "../world/records/account-settings.js";
import type { Entity } from "../world/records/machine.js";
import { adopt, type ReadSnapshot, readSnapshot, rehearse } from "../world/snapshot/restore.js";
import { NotRestorable, type StoredSnapshot, snapshotText, toId } from "../world/snapshot/snapshot.js";
import { gatherText } from "../world/store/text-pieces.js";
import { delivery } from "../world/webhooks/delivery.js";
import { endpoints } from "../world/webhooks/outbox.js";
import { relayNameOf } from "../world/webhooks/relay.js";
import { type ControlledSandbox, operation } from "./operation.js";
import { OpaqueObject } from "./schemas.js";
import { AccountTable, byTable, MachineRecord, schemas } from "./snapshot-tables.js";

const SnapshotView = exactly({
  standin: exactly({ format: Type.Literal(1), version: Type.String({ examples: ["0.x"] }) }),
  mode: Type.Enum(["test", "live"]),
  clock: exactly({ now: Timestamp }),
  state: Type.Record(Type.String(), Type.Record(Type.String(), OpaqueObject), {
    description: "Tables by name. Records by id, oldest first",
  }),
  checksum: Type.String({ description: "SHA-256 in hex of the document's JSON text without this field" }),
});

export const getSnapshot = operation({
  id: "getSnapshot",
  summary:
    "Get the whole state of the account as one document; equal states at the same instant give equal bytes",
  description: "Contains the webhook secret, but no API key.",
  query: Type.Object({
    fold: Type.Optional(
      Type.Boolean({
        description:
          "Whether to bring the account's document state.json in the data folder up to date as well",
      }),
    ),
  }),
  reply: { 200: SnapshotView },
  refuses: ["validation_error"],

  async handle({ account, sandbox, query: { fold = false } }) {
    const text = await gatherText(snapshotText(account, sandbox.version));
    const megabytes = text.reduce((sum, { length }) => sum + length, 0) / 1024 / 1024;
    if (megabytes > largestSnapshotMB) {
      const size = `The snapshot of this account has ${megabytes.toFixed(1)} MB; snapshots have at most ${largestSnapshotMB} MB.`;
      throw new Refusal("validation_error", { message: size });
    }
    if (fold) await account.log.fold?.();
    return new JsonText(text) as unknown as StoredSnapshot;
  },
});

export const restoreSnapshot = operation({
  id: "restoreSnapshot",
  summary:
    "Replace the whole state of the account; its clock is paused, and nothing is sent, until it is resumed or used",
  description:
    "Takes a snapshot of any account of the same mode, from any sandbox of the same major version.",
  body: OpaqueObject,
  takesSnapshot: true,
  reply: {
    200: Type.Object({
      restored: Type.Literal(true),
      now: Timestamp,
      records: Type.Integer({ description: "Number of records, without the account's own table" }),
    }),
  },
  refuses: ["validation_error", "clock_busy"],

  async handle({ account, body, sandbox, refuse }) {
    try {
      const snapshot = await readSnapshot(body as Record<string, unknown>, account, sandbox.version);
      await checkRecords(snapshot, sandbox);
      const copy = await rehearse(account, snapshot);
      await inTurns(checkViews(snapshot, copy, sandbox));
      if (account.advancing) refuse("clock_busy");
      adopt(account, copy);
    } catch (error) {
      if (!(error instanceof NotRestorable)) throw error;
      throw new Refusal("validation_error", { param: error.param, message: error.message });
    }
    const { state } = account;
    const tables = [...state.tables()].filter(({ name }) => name !== ownRecords.name);
    const records = tables.reduce((sum, table) => sum + state.size(table), 0);
    return { restored: true as const, now: account.clock.iso(), records };
  },
});

async function checkRecords({ tables }: ReadSnapshot, sandbox: ControlledSandbox): Promise<void> {
  await checkSchema(AccountTable, "state", { [ownRecords.name]: tables[ownRecords.name] ?? {} });
  for (const [table, records] of Object.entries(tables)) {
    const where = `state.${table}`;
    if (sandbox.world.machines.has(table)) await checkSchema(MachineRecord, where, records);
    const schema = schemas.get(table);
    if (schema) await checkSchema(schema, where, records);
    const problemOf = recordChecks.get(table);
    if (!problemOf) continue;
    await forEach(records, async (key, record) => {
      const problem = await problemOf(record as Record<string, unknown>, sandbox);
      if (problem !== null) throw new NotRestorable(`${where}.${key}`, `${where}.${key}: ${problem}.`);
    });
  }
  await checkBalances(tables);
}

/** Refuses balances that are not the sums of the ledger's entries. */
async function checkBalances(tables: ReadSnapshot["tables"]): Promise<void> {
  const sums = new Map<string, number>();
  await forEach(tables[ledgerEntries.name] ?? {}, (_key, entry) => {
    for (const [name, kobo] of Object.entries((entry as LedgerEntry).legs))
      sums.set(name, (sums.get(name) ?? 0) + kobo);
  });
  const record = tables[ledgerBalances.name]?.balances ?? {};
  const balances = new Map(Object.entries(record as Record<string, number>));
  for (const name of ledgerAccounts) {
    const [balance, sum] = [balances.get(name) ?? 0, sums.get(name) ?? 0];
    if (balance === sum) continue;
    const where = `state.${ledgerBalances.name}.balances.${name}`;
    const message = `${where} must be ${sum}, which the entries of the ledger add up to; it is ${balance}.`;
    throw new NotRestorable(where, message);
  }
}

/** Rejects with a NotRestorable for the first record that does not match the schema. */
export async function checkSchema(
  schema: TSchema,
  where: string,
  records: Readonly<Record<string, unknown>>,
): Promise<void> {
  const validate = await compileValidator(schema);
  await forEach(records, (key, record) => {
    if (validate(record)) return;
    const [detail] = detailsOf(validate);
    throw new NotRestorable(`${where}.${key}.${detail?.param}`, `${where}.${key}: ${detail?.message}`);
  });
}

/** Calls a function with each record, in turns of the event loop. */
async function forEach(
  records: Readonly<Record<string, unknown>>,
  visit: (key: string, record: unknown) => Promise<void> | void,
): Promise<void> {
  const turns = new Turns();
  for (const [key, value] of Object.entries(records)) {
    const visiting = visit(key, value);
    if (visiting) await visiting;
    const over = turns.step();
    if (over) await over;
  }
}

/** Returns the problem of a record that matches its schema; null if there is none. */
type RecordCheck = (
  record: Record<string, unknown>,
  sandbox: ControlledSandbox,
) => string | null | Promise<string | null>;

const oneOf = (name: string, value: unknown, allowed: readonly unknown[]): string | null =>
  allowed.includes(value) ? null : `${name} must be one of ${allowed.join(", ")}`;

const jobProblem: RecordCheck = ({ kind, machine, move }, { world: { machines, scheduler } }) => {
  if (kind !== "move") return oneOf("kind", kind, Object.keys(scheduler.kinds));
  const moves = machines.get(machine as string)?.moves;
  return moves ? oneOf("move", move, Object.keys(moves)) : oneOf("machine", machine, [...machines.keys()]);
};

const recordedRuleProblem: RecordCheck = (record, { operations }) => {
  const problem = storedRuleProblem(record as RuleBody, { operations, events });
  return problem ? `${problem.at} ${problem.message}` : null;
};

const urlProblem: RecordCheck = ({ url }) =>
  typeof url === "string" && ((/^https?:/i.test(url) && URL.canParse(url)) || relayNameOf(url) !== null)
    ? null
    : "url must be an http or https URL, or relay: and a name";

const scenarioProblem: RecordCheck = async (record, { stage }) => {
  const { timelineProblems } = await import("../scenarios/check-timeline.js");
  const { timeline } = record as unknown as LoadedScenario;
  const [problem] = await timelineProblems(timeline, null, stage.operations);
  return problem ? formatProblem(problem) : null;
};

/** Returns the problem of amounts in kobo by ledger account, of an entry or of all entries. */
const amountsProblem: RecordCheck = (amounts) => {
  const unknown = Object.keys(amounts).find((name) => !(ledgerAccounts as readonly string[]).includes(name));
  if (unknown !== undefined) return oneOf("a ledger account", unknown, ledgerAccounts);
  const sum = Object.values(amounts).reduce((total: number, kobo) => total + (kobo as number), 0);
  return sum === 0 ? null : `its amounts must add up to zero; they add up to ${sum} kobo`;
};

const recordChecks = byTable<RecordCheck>([
  [ledgerEntries, ({ legs }, sandbox) => amountsProblem(legs as Record<string, unknown>, sandbox)],
  [ledgerBalances, amountsProblem],
  [storedJobs, jobProblem],
  [rulesTable, recordedRuleProblem],
  [endpoints, urlProblem],
  [delivery, urlProblem],
  [scenarioTable, scenarioProblem],
]);

/** Refuses records that their machine's view cannot represent. */
function* checkViews(
  { tables }: ReadSnapshot,
  copy: Account,
  { world }: ControlledSandbox,
): Generator<void, void> {
  for (const machine of world.machines.values()) {
    for (const [key, value] of Object.entries(tables[machine.name] ?? {})) {
      yield;
      const record = value as Entity;
      const where = `state.${machine.name}.${key}`;
      if (record.id !== toId(key))
        throw new NotRestorable(where, `${where}: id must be its key in the table.`);
      try {
        machine.view(record, copy);
      } catch (error) {
        const message = `${where} is not a complete ${machine.name} (${(error as Error).message}).`;
        throw new NotRestorable(where, message);
      }
    }
  }
}

/** The state machines of the service as tables, and the records that follow them. */
import * as Type from "typebox";
import { refuse } from "../contract/errors.js";
import { Timestamp } from "../contract/schemas.js";
import type { Account } from "../world/account/account.js";
import { type AnyMachine, type Entity, targetsOf } from "../world/records/machine.js";
import { collection, refuseUnknown } from "./collection.js";
import { type ControlledSandbox, operation } from "./operation.js";
import { anyObject, ById, OpaqueObject } from "./schemas.js";

const TransitionView = Type.Object({
  move: Type.String(),
  from: Type.String({ description: "`new` for a move that creates the record" }),
  to: Type.Array(Type.String(), {
    description: "The next state. Several if it depends on the record or the move's input",
  }),
  by_hand: Type.Boolean({ description: "Whether the control API can make the move" }),
  timed: Type.Boolean({ description: "Whether the clock can make the move" }),
});

const MachineView = Type.Object({
  name: Type.String({ examples: ["payout"] }),
  states: Type.Array(Type.String()),
  transitions: Type.Array(TransitionView),
  records: Type.Integer({ minimum: 0, description: "Number of records on the account" }),
});

function transitionsOf({ moves, byHand }: AnyMachine) {
  return Object.entries(moves).flatMap(([move, row]) =>
    [row.from].flat().map((from) => ({
      move,
      from,
      to: targetsOf(row, from),
      by_hand: byHand.get(from)?.includes(move) ?? false,
      timed: row.at !== undefined,
    })),
  );
}

export const { list: listMachines } = collection({
  of: MachineView,
  paging: "whole",
  items: ({ sandbox }) => sandbox.world.machines.values(),
  view: (machine, { account }) => ({
    name: machine.name,
    states: [...machine.states],
    transitions: transitionsOf(machine),
    records: account.state.size(machine),
  }),
  list: {
    id: "listMachines",
    summary:
      "List the state machines with their transitions, and how many records of the account follow each",
  },
});

/** Returns the state machine of this name, or refuses. */
function requireMachine({ world: { machines } }: ControlledSandbox, name: string): AnyMachine {
  const message = `There is no state machine ${JSON.stringify(name.slice(0, 60))}; there are ${[...machines.keys()].join(", ")}.`;
  return machines.get(name) ?? refuse("resource_not_found", { param: "machine", message });
}

export const { list: listRecords } = collection({
  of: Type.Object({
    id: Type.String(),
    state: Type.String(),
    created_at: Timestamp,
    moved_at: Timestamp,
    record: anyObject({ description: "The record as the service shows it" }),
  }),
  params: { machine: Type.String({ examples: ["payout"] }) },
  filter: { state: Type.Optional(Type.String()) },
  items: ({ account, params, sandbox }) => account.records.newest(requireMachine(sandbox, params.machine)),
  matches: ({ state }, query) => state === (query.state ?? state),
  view: (record, { account, params, sandbox }) => ({
    id: record.id,
    state: record.state,
    created_at: record.created_at,
    moved_at: record.history.at(-1)?.at ?? record.created_at,
    record: requireMachine(sandbox, params.machine).view(record, account),
  }),
  list: { id: "listRecords", summary: "List the records that follow a state machine, newest first" },
});

const RecordView = Type.Object({
  id: Type.String(),
  machine: Type.String(),
  state: Type.String(),
  record: anyObject({ description: "The record as the service shows it" }),
  moves: Type.Array(Type.Object({ move: Type.String(), to: Type.String() }), {
    description: "Legal moves; `to` is `computed` if it depends on the input of the move",
  }),
  history: Type.Array(
    Type.Object({
      at: Timestamp,
      move: Type.String(),
      from: Type.String(),
      to: Type.String(),
      by: Type.String(),
    }),
  ),
});

interface Found {
  machine: AnyMachine;
  record: Entity;
}

function find(account: Account, { world }: ControlledSandbox, id: string): Found {
  for (const machine of world.machines.values()) {
    const record = account.records.get(machine, id);
    if (record) return { machine, record };
  }
  return refuseUnknown("record", id);
}

const viewRecord = (account: Account, { machine, record }: Found) => ({
  id: record.id,
  machine: machine.name,
  state: record.state,
  record: machine.view(record, account),
  moves: (machine.byHand.get(record.state) ?? []).map((move) => {
    const to = machine.moves[move]?.to;
    return { move, to: typeof to === "string" ? to : "computed" };
  }),
  history: record.history,
});

export const getRecord = operation({
  id: "getRecord",
  summary: "Get a record of any kind with its state, legal moves and history",
  params: ById,
  reply: { 200: RecordView },
  refuses: ["resource_not_found"],
  handle: ({ account, params, sandbox }) => viewRecord(account, find(account, sandbox, params.id)),
});

export const moveRecord = operation({
  id: "moveRecord",
  summary: "Make a move by hand",
  params: Type.Object({ id: Type.String(), move: Type.String() }),
  body: OpaqueObject,
  bodyOptional: true,
  reply: { 200: RecordView },
  refuses: ["resource_not_found", "invalid_state", "validation_error"],

  handle({ account, params, body, sandbox }) {
    return account.commit("control", () => {
      const found = find(account, sandbox, params.id);
      account.records.moveByHand(found.machine, found.record, params.move, body);
      return viewRecord(account, found);
    });
  },
});

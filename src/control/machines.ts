/** The state machines of the service as tables, and the records that follow them. */

import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { Timestamp } from "../contract/schemas.js";
import { type AnyMachine, targetsOf } from "../world/records/machine.js";
import { operation } from "./operation.js";
import { listPage, paging } from "./paging.js";
import { anyObject, items } from "./schemas.js";

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

export const listMachines = operation({
  id: "listMachines",
  route: controlRoutes.listMachines,
  summary: "List the state machines with their transitions, and how many records of the account follow each",
  auth: "control",
  reply: { 200: items(MachineView) },
  handle: ({ account, sandbox }) => ({
    items: [...sandbox.world.machines.values()].map((machine) => ({
      name: machine.name,
      states: [...machine.states],
      transitions: transitionsOf(machine),
      records: account.state.size(machine),
    })),
  }),
});

export const listRecords = operation({
  id: "listRecords",
  route: controlRoutes.listRecords,
  summary: "List the records that follow a state machine, newest first",
  auth: "control",
  params: Type.Object({ machine: Type.String({ examples: ["payout"] }) }),
  query: Type.Object({ state: Type.Optional(Type.String()), ...paging }),
  reply: {
    200: items(
      Type.Object({
        id: Type.String(),
        state: Type.String(),
        created_at: Timestamp,
        moved_at: Timestamp,
        record: anyObject({ description: "The record as the service shows it" }),
      }),
    ),
  },
  refuses: ["resource_not_found", "validation_error"],

  handle({ account, params, query, sandbox, refuse }) {
    const { machines } = sandbox.world;
    const machine = machines.get(params.machine);
    if (!machine) {
      const message = `There is no state machine ${JSON.stringify(params.machine.slice(0, 60))}; there are ${[...machines.keys()].join(", ")}.`;
      return refuse("resource_not_found", { param: "machine", message });
    }
    return listPage(
      account.records.newest(machine),
      query,
      (record) => ({
        id: record.id,
        state: record.state,
        created_at: record.created_at,
        moved_at: record.history.at(-1)?.at ?? record.created_at,
        record: machine.view(record, account),
      }),
      ({ state }) => state === (query.state ?? state),
    );
  },
});

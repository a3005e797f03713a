import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { Refusal } from "../contract/errors.js";
import { Timestamp } from "../contract/schemas.js";
import type { Account } from "../world/account/account.js";
import type { AnyMachine, Entity } from "../world/records/machine.js";
import { type ControlledSandbox, operation } from "./operation.js";
import { anyObject, ById, OpaqueObject } from "./schemas.js";

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
  throw new Refusal("resource_not_found", {
    param: "id",
    message: `There is no record ${id} on this account.`,
  });
}

const view = (account: Account, { machine, record }: Found) => ({
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
  route: controlRoutes.getRecord,
  summary: "Get a record of any kind with its state, legal moves and history",
  auth: "control",
  params: ById,
  reply: { 200: RecordView },
  refuses: ["resource_not_found"],
  handle: ({ account, params, sandbox }) => view(account, find(account, sandbox, params.id)),
});

export const moveRecord = operation({
  id: "moveRecord",
  route: controlRoutes.moveRecord,
  summary: "Make a move by hand",
  auth: "control",
  params: Type.Object({ id: Type.String(), move: Type.String() }),
  body: OpaqueObject,
  bodyOptional: true,
  reply: { 200: RecordView },
  refuses: ["resource_not_found", "invalid_state", "validation_error"],

  handle({ account, params, body, sandbox }) {
    return account.commit("control", () => {
      const found = find(account, sandbox, params.id);
      account.records.moveByHand(found.machine, found.record, params.move, body);
      return view(account, found);
    });
  },
});

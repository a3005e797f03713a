/** Moves by hand, by machine: `account.moves.payout(id, "reject")`. */
import { movesByHand } from "../../service/machines.js";
import type { RecordEntry } from "./types.js";

export type MachineName = keyof typeof movesByHand;

/** Each function makes a move on the record with this id. It rejects with invalid_state if the move is not legal. */
export type Moves = {
  readonly [M in MachineName]: (
    id: string,
    move: (typeof movesByHand)[M][number],
    input?: Record<string, unknown>,
  ) => Promise<RecordEntry>;
};

type MoveRecord = (id: string, move: string, input?: Record<string, unknown>) => Promise<RecordEntry>;

export const toMoves = (move: MoveRecord): Moves =>
  Object.fromEntries(Object.keys(movesByHand).map((machine) => [machine, move])) as unknown as Moves;

/** Moves by hand, by machine: `account.moves.payout(id, "reject")`. A test holds the table against the machines. */
import type { RecordEntry } from "./types.js";

export const movesOf = {
  phone_verification: ["verify", "expire", "lock"],
  address_check: ["locate", "document"],
  audit: ["complete", "fail"],
  domain: ["prove"],
  channel: ["connect", "scan", "expire", "disconnect", "connect_website"],
  channel_code: ["verify", "expire", "lock", "replace"],
  identity_check: ["answer", "expire"],
  session: ["end", "expire"],
  virtual_account: ["deactivate", "activate"],
  charge: ["pay"],
  payment: ["succeed", "hold", "release", "fail", "raise_issue", "resolve_issue", "settle"],
  payout: ["pay", "fail", "reject"],
  refund: ["process", "fail", "reject"],
  delivery: ["attempt", "retry"],
} as const;

export type MachineName = keyof typeof movesOf;

/** Of each machine: makes a move on the record of this id; rejects with invalid_state when it is not legal. */
export type Moves = {
  readonly [M in MachineName]: (
    id: string,
    move: (typeof movesOf)[M][number],
    input?: Record<string, unknown>,
  ) => Promise<RecordEntry>;
};

type MoveByHand = (id: string, move: string, input?: Record<string, unknown>) => Promise<RecordEntry>;

export const toMoves = (move: MoveByHand): Moves =>
  Object.fromEntries(Object.keys(movesOf).map((machine) => [machine, move])) as unknown as Moves;

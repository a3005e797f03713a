/** The business under test for commands and checks, in this process or over HTTP. */
import type { Kobo } from "./money.js";

export type Json = Record<string, unknown>;

/** The code of a refusal, or null and the body. */
export interface Reply {
  code: string | null;
  body: Json;
}

export const refused = (code: string): Reply => ({ code, body: {} });
export const answered = (body: Json): Reply => ({ code: null, body });

/** Messages for people are not part of the model. */
export const withoutMessage = ({ code, body: { message, ...body } }: Reply): Reply => ({ code, body });

export interface Step {
  at: string;
  move: string;
  from: string;
  to: string;
}

export interface SeenRecord extends Json {
  id: string;
  state: string;
  history: Step[];
}

export interface SeenEvent {
  id: string;
  event: string;
  created_at: string;
  data: Json;
  /** Bytes of the delivery. */
  body: string;
}

export interface SeenEntry {
  at: string;
  about: string;
  legs: Readonly<Record<string, Kobo>>;
}

/** Everything visible of the business at one moment. Records and entries are oldest first. */
export interface Seen {
  overview: Json;
  /** Newest first, as in the list. */
  payments: Json[];
  accounts: Json[];
  balances: Readonly<Record<string, Kobo>>;
  records: Readonly<Record<Machine, readonly SeenRecord[]>>;
  /** Entries that were not seen before. */
  entries: readonly SeenEntry[];
  events: readonly SeenEvent[];
  /** Errors that occurred outside a request. */
  warnings: readonly string[];
}

export const machineNames = ["virtual_account", "charge", "payment", "payout", "refund"] as const;
export type Machine = (typeof machineNames)[number];

/** Counts of what was seen before. */
export interface From {
  entries: number;
  events: number;
}

/** Placeholder for the server's address in checkout links. */
export const checkoutsOf = (accountId: string): string => `http://localhost/pay/${accountId}/`;

export type CardInput = { card: string } | { second_step: "approve" | "decline" };

export interface Business {
  /** Account id in checkout links. */
  readonly accountId: string;
  /** Calls a service operation; `outcome` is the header `X-Sandbox-Outcome`. */
  call(operation: string, body: Json, outcome?: string): Promise<Reply>;
  pay(reference: string, input: CardInput): Promise<Reply>;
  /** Makes a move by hand and returns the state and the record's view. */
  move(machine: Machine, id: string, move: string): Promise<Reply>;
  verify(verified: boolean): Promise<void>;
  advance(ms: number): Promise<void>;
  /** Ends the process, or its equivalent, and restarts it on the same folder. */
  restart(): Promise<void>;
  snapshot(): Promise<unknown>;
  restore(snapshot: unknown): Promise<void>;
  see(from: From): Promise<Seen>;
}

/** The business under test as the commands and the checks see it: in this process, or over HTTP. */
import type { Kobo } from "./money.js";

export type Json = Record<string, unknown>;

/** A refusal's code, or null and the body. */
export interface Reply {
  code: string | null;
  body: Json;
}

export const refused = (code: string): Reply => ({ code, body: {} });
export const answered = (body: Json): Reply => ({ code: null, body });

/** What is said to people is no part of the model. */
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
  /** The bytes that are sent. */
  body: string;
}

export interface SeenEntry {
  at: string;
  about: string;
  legs: Readonly<Record<string, Kobo>>;
}

/** All that can be seen of the business at one moment; lists of records and entries have the oldest first. */
export interface Seen {
  overview: Json;
  /** Newest first, as they are listed. */
  payments: Json[];
  accounts: Json[];
  balances: Readonly<Record<string, Kobo>>;
  records: Readonly<Record<Machine, readonly SeenRecord[]>>;
  /** Those after the ones that were seen before. */
  entries: readonly SeenEntry[];
  events: readonly SeenEvent[];
  /** What went wrong where no request was there to tell. */
  warnings: readonly string[];
}

export const machineNames = ["virtual_account", "charge", "payment", "payout", "refund"] as const;
export type Machine = (typeof machineNames)[number];

/** So many were seen before. */
export interface From {
  entries: number;
  events: number;
}

/** Checkout links begin with this, whatever the server's address. */
export const checkoutsOf = (accountId: string): string => `http://localhost/pay/${accountId}/`;

export type CardInput = { card: string } | { second_step: "approve" | "decline" };

export interface Business {
  /** As `X-Service-Key` names it: checkout links carry it. */
  readonly accountId: string;
  /** A service operation; `outcome` is what the header `X-Sandbox-Outcome` asks for. */
  call(operation: string, body: Json, outcome?: string): Promise<Reply>;
  pay(reference: string, input: CardInput): Promise<Reply>;
  /** A move by hand; the reply is the state and the record's view. */
  move(machine: Machine, id: string, move: string): Promise<Reply>;
  verify(verified: boolean): Promise<void>;
  advance(ms: number): Promise<void>;
  /** Ends the process, or what stands for it, and starts it anew on the same folder. */
  restart(): Promise<void>;
  snapshot(): Promise<unknown>;
  restore(snapshot: unknown): Promise<void>;
  see(from: From): Promise<Seen>;
}

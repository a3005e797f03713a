/** Records that the account had before the recording. A run makes similar ones, as `given`. */

import type { ErrorCode } from "../../contract/errors.js";
import { isObject, objectsIn } from "../../contract/json.js";
import type { AnyOperation } from "../../contract/operation.js";
import { refusalsOf } from "../../contract/refusals.js";
import { day } from "../../time/time.js";
import { type GivenSection, sections } from "../given-sections.js";
import type { Recorder } from "./recorder.js";
import { hasSucceeded, type RecordedCall } from "./session-log.js";

/** Sections of `given` by the field of a request that names a record of them. */
const sectionOfField: Readonly<Record<string, string>> = {
  channel_id: "channels",
  virtual_account_id: "virtual_accounts",
  payment_id: "payments",
};

/** Amount in naira of payments that are refunded, and minimum amount of payments that fund payouts. */
const paymentAmount = 100_000;

/** Time until received money is available. */
const pendingMs = 1 * day;

/** Fields with which a record can be used. */
const usable: Readonly<Record<string, object>> = {
  channels: { connected: true },
  payments: { amount: paymentAmount },
};

/** Codes of refusals because the account lacks a section. */
const lackOf: Readonly<Record<string, ErrorCode>> = {
  business: "business_profile_required",
  payout_account: "payout_account_required",
};

/** Returns whether an operation succeeds without a section that scenarios nevertheless make for it. */
const doesWithout = (operation: AnyOperation, needed: string): boolean => {
  const code = lackOf[needed];
  return code !== undefined && !refusalsOf(operation).includes(code);
};

export class EarlierRecords {
  readonly given: Record<string, unknown> = {};
  /** Ids of records that the recording has made. */
  readonly #made = new Set<string>();
  /** Sections whose operations have succeeded in the recording. */
  readonly #used = new Set<string>();
  /** Time of the first payment in the recording, and the sum of the payouts before its money was available. */
  #paidAt: number | null = null;
  #paidOut = 0;

  /** `refused` has the error codes of the recording, some of which show what the account did not have. */
  constructor(
    readonly recorder: Recorder,
    refused: Iterable<string | null> = [],
  ) {
    const codes = new Set(refused);
    for (const [section, code] of Object.entries(lackOf)) if (codes.has(code)) this.#used.add(section);
  }

  /** Adds what a call needs from before. Returns the call with a reply whose lists have no records from before. */
  replace(call: RecordedCall): RecordedCall {
    if (!hasSucceeded(call)) return call;
    const [name, section] = sectionOf(call);
    for (const [field, id] of Object.entries({ ...call.params, ...call.body }))
      if (typeof id === "string" && Object.hasOwn(sectionOfField, field))
        this.#addRecord(sectionOfField[field], id);
    if (section) this.#addNeeds(section, call.operation);
    if (name === "payouts") this.#addMoney(call);
    if (name !== undefined) this.#used.add(name);
    if (name === "payments") this.#paidAt ??= call.activity.at;
    const isRead = call.call.method === "GET";
    if (!isRead) for (const id of idsIn(call.reply)) this.#made.add(id);
    return isRead ? { ...call, reply: this.#withoutStrangers(call.reply) } : call;
  }

  /** Treats the records that a call has made as earlier ones, since a run leaves the call out. */
  leaveOut({ reply }: RecordedCall): void {
    for (const id of idsIn(reply)) this.#made.delete(id);
  }

  #addRecord(section: string | undefined, id: string): void {
    if (section === undefined || this.#made.has(id)) return;
    const list = (this.given[section] ?? []) as object[];
    this.given[section] = [...list, usable[section] ?? {}];
    const idField = sections[section]?.id ?? "id";
    this.recorder.known.set(id, { as: "given" }, "given", `${section}.${list.length}.${idField}`);
    this.#made.add(id);
    this.#used.add(section);
  }

  /** Adds the sections that a section needs, unless the recording has made them, or its operation has done without. */
  #addNeeds({ needs = {} }: GivenSection, operation?: AnyOperation): void {
    for (const [needed, by] of Object.entries(needs)) {
      if (this.#used.has(needed) || (operation && doesWithout(operation, needed))) continue;
      this.#used.add(needed);
      this.given[needed] = by;
      const section = sections[needed];
      if (section) this.#addNeeds(section);
    }
  }

  /** Adds settled money for a payout, unless the recording has a payment that has been settled by then. */
  #addMoney({ activity, body }: RecordedCall): void {
    if (this.#paidAt !== null && activity.at - this.#paidAt >= pendingMs) return;
    this.#paidOut += Number(body?.amount ?? 0);
    const [first, ...others] = (this.given.payments ?? []) as object[];
    const amount = Math.max(paymentAmount, 2 * this.#paidOut);
    this.given.payments = [{ ...first, amount, settled: true }, ...others];
  }

  /** Removes earlier records from lists, which have another length in a run. */
  #withoutStrangers(value: unknown): unknown {
    if (Array.isArray(value))
      return value.every((item) => idsIn(item).every((id) => this.#made.has(id)))
        ? value.map((item) => this.#withoutStrangers(item))
        : [null];
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, this.#withoutStrangers(inner)]),
    );
  }
}

const sectionOf = ({ operation }: RecordedCall): [string | undefined, GivenSection | undefined] => {
  const found = Object.entries(sections).find(([, section]) => section.operation === operation.id);
  return found ?? [undefined, undefined];
};

/** Returns the ids of the records of a reply. */
const idsIn = (reply: unknown): string[] =>
  [...objectsIn(reply)].flatMap(({ id, payment_id, session_id }) =>
    [id, payment_id, session_id].filter((one) => typeof one === "string"),
  );

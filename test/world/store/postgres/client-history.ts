/** What clients have asked of accounts, and whether the journals explain every reply. */
import { performance } from "node:perf_hooks";
import { expect } from "vitest";
import type { SandboxAccount } from "../../../../src/index.js";
import { accountId } from "../../../../src/world/account/account-id.js";
import { Shop } from "../../../service/business/shop.js";
import { type Operation, placesOf, type Seen, violations } from "../../../support/history.js";
import type { TestDatabase } from "../../../support/postgres.js";
import { call, post, type Reply } from "../../../support/sandbox.js";
import { linesIn } from "../../../support/stores.js";

const openingWallet = 1_000_000;
const priceOfStart = 6;
const received = 1_000_000;
const payment = received * 0.99;
const amountOfPayout = 100;

type Change = [table: string, id: string, record: Record<string, number>];

/** Tables of the records that the writes create. */
const tables: ReadonlySet<string> = new Set(["phone_verification", "payout"]);

/** The history of one account. Requests without a reply, and those that are refused with 503, may have been done. */
export class ClientHistory {
  readonly #writes: { id: string; began: number; ended: number }[] = [];
  readonly #reads: (Seen & { began: number; ended: number })[] = [];
  /** Ids of acknowledged events, which webhooks must bring. */
  readonly events: string[] = [];
  /** When each operation that was answered began, and how long it took, in ms. */
  readonly answered: { began: number; took: number; replica: string }[] = [];

  constructor(
    readonly key: string,
    /** URL of the replica that owned the account first. */
    readonly home: string,
  ) {}

  /** Gives the account an endpoint, and money to pay out. */
  async setUp(account: SandboxAccount, receiver: string): Promise<void> {
    const shop = new Shop(account);
    await shop.got("PUT", "/profile", {
      business_name: "Ada Stores",
      business_type: "registered",
      contact_phone: "+2348031234567",
    });
    await shop.settledTransfer(received);
    await shop.got("PUT", "/payout-account", { bank_code: "058", account_number: "0123456789" });
    await post(account, "/v1/webhooks", { url: receiver });
  }

  readonly steps = [
    (account: SandboxAccount) =>
      this.#write(account, "/v1/phone/verify/start", { phone: "08031234567" }, "sent"),
    async (account: SandboxAccount) => {
      const reply = await this.#attempt(account, () => call(account, "GET", "/_sandbox/account"));
      this.#saw("phone_verification", reply, (openingWallet - reply?.body.balance) / priceOfStart);
    },
    (account: SandboxAccount) =>
      this.#write(account, "/v1/business/payouts", { amount: amountOfPayout }, "requested"),
    async (account: SandboxAccount) => {
      const reply = await this.#attempt(account, () => call(account, "GET", "/v1/business/overview"));
      this.#saw("payout", reply, (payment - reply?.body.available) / amountOfPayout);
    },
    async (account: SandboxAccount) => {
      const body = { event: "payout.paid" };
      const reply = await this.#attempt(account, () => post(account, "/_sandbox/events", body));
      if (reply) this.events.push(reply.body.id);
    },
  ];

  get accountId(): string {
    return accountId(this.key);
  }

  /** Whether a write that began since `since` was acknowledged. */
  hasWrittenSince = (since: number): boolean => this.#writes.some(({ began }) => began >= since);

  async #write(account: SandboxAccount, path: string, body: object, outcome: string): Promise<void> {
    const began = performance.now();
    const headers = { "X-Sandbox-Outcome": outcome };
    const reply = await this.#attempt(account, () => post(account, path, body, headers));
    if (reply) this.#writes.push({ id: reply.body.id, began, ended: performance.now() });
  }

  #saw(kind: string, reply: TimedReply | null, count: number): void {
    if (!reply) return;
    expect(Number.isInteger(count)).toBe(true);
    this.#reads.push({ kind, count, began: reply.began, ended: performance.now() });
  }

  /** Returns null if the outcome is unknown. */
  async #attempt(account: SandboxAccount, run: () => Promise<Reply>): Promise<TimedReply | null> {
    const began = performance.now();
    const reply = await run().catch(() => null);
    if (reply === null || reply.status === 503) return null;
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
    this.answered.push({ began, took: performance.now() - began, replica: account.baseUrl });
    return { ...reply, began };
  }

  /** Reads the journal: no gap, no second history, money conserved, and every reply explained by the order of the lines. */
  async expectExplained(database: TestDatabase): Promise<void> {
    const lines = await linesIn(database, this.accountId);
    const order: string[] = [];
    const placeOf = new Map<string, number>();
    const countOf = (kind: string) => order.filter((one) => one === kind).length;
    let owner = 0;
    for (const [index, { sequence, owner: own, line }] of lines.entries()) {
      expect(Number(sequence)).toBe(index + 1);
      expect(Number(own)).toBeGreaterThanOrEqual(owner);
      owner = Number(own);
      const changes: Change[] = JSON.parse(line);
      for (const [table, id] of changes)
        if (tables.has(table) && !placeOf.has(id)) placeOf.set(id, order.push(table));
      for (const [table, id, record] of changes) {
        if (table === "account" && id === "wallet")
          expect(record.balance).toBe((openingWallet - priceOfStart * countOf("phone_verification")) * 100);
        if (table !== "ledger" || id !== "balances") continue;
        expect(Object.values(record).reduce((total, kobo) => total + kobo, 0)).toBe(0);
        expect(record.in_payout ?? 0).toBe(amountOfPayout * countOf("payout") * 100);
      }
    }
    const operations: Operation[] = this.#reads.map(({ began, ended, ...seen }) => ({
      began,
      ended,
      ...placesOf(seen, order),
    }));
    for (const { id, began, ended } of this.#writes) {
      // An acknowledged write that is not in the journal has no place.
      const place = placeOf.get(id) ?? Number.NaN;
      expect(place, `${id} was acknowledged`).toBeGreaterThan(0);
      operations.push({ began, ended, from: place, to: place });
    }
    expect(violations(operations)).toEqual([]);
  }
}

type TimedReply = Reply & { began: number };

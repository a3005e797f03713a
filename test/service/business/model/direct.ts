/** Businesses in this process on a folder: the server's operations without sockets. */

import { refuse } from "../../../../src/contract/errors.js";
import type { AnyOperation } from "../../../../src/contract/operation.js";
import { addRule, removeRule } from "../../../../src/rules/rules.js";
import { toRefusal } from "../../../../src/server/errors.js";
import { Performer } from "../../../../src/server/perform.js";
import { ClientGone } from "../../../../src/server/request-context.js";
import { toSettings } from "../../../../src/server/settings.js";
import { resolveAssumptions } from "../../../../src/service/assumptions.js";
import { payCharge } from "../../../../src/service/business/charges.js";
import { releaseLimitHolds } from "../../../../src/service/business/payments.js";
import { serviceOperations } from "../../../../src/service/index.js";
import { priceOf } from "../../../../src/service/prices.js";
import type { Account } from "../../../../src/world/account/account.js";
import { accountId } from "../../../../src/world/account/account-id.js";
import { table } from "../../../../src/world/store/table.js";
import { freshFolder } from "../../../support/folder.js";
import { type OpenWorld, openWorld } from "../../../support/world.js";
import { restoreSnapshot, takeSnapshot } from "../../../support/world-snapshots.js";
import {
  answered,
  type Business,
  type CardInput,
  type From,
  type Json,
  type Machine,
  machineNames,
  type Reply,
  refused,
  type Seen,
  type SeenRecord,
  withoutMessage,
} from "./business.js";

const performer = new Performer({
  settings: toSettings({}, resolveAssumptions),
  sandbox: {},
  price: priceOf,
});
const version = "0.1.0";
const operations = new Map(serviceOperations.map((operation) => [operation.id, operation]));

/** Returns the value as a client receives it. */
const toJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

async function replyOf(work: () => unknown): Promise<Reply> {
  try {
    return answered(toJson((await work()) as Json));
  } catch (error) {
    const refusal = toRefusal(error);
    if (!refusal || refusal instanceof ClientGone) throw error;
    return refused(refusal.code);
  }
}

/** One folder for many accounts. A restart closes the world on it and opens a new one. */
export class DirectWorld {
  readonly #folder = freshFolder();
  #open: OpenWorld = openWorld(this.#folder);
  readonly #warnings: string[] = [];

  account = (key: string): Promise<Account> => this.#open.account(key);

  /** Returns errors outside requests since the last call. */
  takeWarnings(): string[] {
    return [...this.#warnings.splice(0), ...this.#open.warnings.splice(0)];
  }

  machine(name: Machine) {
    const machine = this.#open.world.machines.get(name);
    if (!machine) throw new Error(`the world has no machine ${name}`);
    return machine;
  }

  advance(account: Account, ms: number): Promise<unknown> {
    return this.#open.world.scheduler.advance(account, account.clock.now() + ms);
  }

  async reopen(): Promise<void> {
    await this.#open.close();
    this.#warnings.push(...this.#open.warnings);
    this.#open = openWorld(this.#folder);
  }
}

export class DirectBusiness implements Business {
  #marks = 0;

  constructor(
    readonly world: DirectWorld,
    readonly key: string,
    public account: Account,
  ) {}

  /** Creates an account whose clock is frozen at `now`. */
  static async open(world: DirectWorld, key: string, now: number): Promise<DirectBusiness> {
    const account = await world.account(key);
    account.commit("control", () => account.setClock({ offset: 0, frozen_at: now }));
    return new DirectBusiness(world, key, account);
  }

  get accountId(): string {
    return accountId(this.key);
  }

  /** Without headers a rule selects the outcome of this request, matched by a field that no operation uses. */
  async call(id: string, body: Json, outcome?: string): Promise<Reply> {
    const { account } = this;
    const mark = outcome === undefined ? {} : { mark: `${++this.#marks}` };
    const rule = { on: id, when: { body: mark }, times: null, probability: 1 };
    const added = outcome === undefined ? null : addRule(account, { ...rule, outcome });
    const operation = operations.get(id) as AnyOperation;
    const call = { body: { ...body, ...mark }, actor: "api" };
    const reply = await replyOf(() => performer.performOwn(account, operation, call));
    if (added) removeRule(account, added.id);
    return reply;
  }

  async pay(reference: string, input: CardInput): Promise<Reply> {
    return withoutMessage(await replyOf(() => payCharge(this.account, reference, input, "page")));
  }

  move(name: Machine, id: string, move: string): Promise<Reply> {
    const { account } = this;
    const machine = this.world.machine(name);
    return replyOf(() =>
      account.commit("control", () => {
        const record = account.records.get(machine, id) ?? refuse("resource_not_found");
        account.records.moveByHand(machine, record, move, {});
        return { state: record.state, record: machine.view(record, account) };
      }),
    );
  }

  async verify(business_verified: boolean): Promise<void> {
    const { account } = this;
    account.commit("control", () => {
      account.settings = { ...account.settings, business_verified };
      if (business_verified) releaseLimitHolds(account);
    });
  }

  async advance(ms: number): Promise<void> {
    await this.world.advance(this.account, ms);
  }

  async restart(): Promise<void> {
    await this.world.reopen();
    this.account = await this.world.account(this.key);
  }

  async snapshot(): Promise<unknown> {
    return toJson(takeSnapshot(this.account, version));
  }

  async restore(snapshot: unknown): Promise<void> {
    await restoreSnapshot(this.account, snapshot as object, version);
  }

  async see(from: From): Promise<Seen> {
    const read = async (id: string) => (await this.call(id, {})).body;
    const records = machineNames.map((name) => [name, this.#newest<SeenRecord>(name)]);
    return {
      overview: await read("getBusinessOverview"),
      payments: (await read("listPayments")).payments as Json[],
      accounts: (await read("listVirtualAccounts")).accounts as Json[],
      balances: this.account.ledger.balances(),
      records: Object.fromEntries(records) as Seen["records"],
      entries: this.#newest("ledger_entries", from.entries),
      events: this.#newest("events", from.events),
      warnings: this.world.takeWarnings(),
    };
  }

  /** Returns the entries oldest first, without the first `seen`. */
  #newest<T>(name: string, without = 0): T[] {
    const { state } = this.account;
    let wanted = state.size({ name }) - without;
    const found: T[] = [];
    if (wanted <= 0) return found;
    for (const record of state.newest(table<T>(name))) {
      found.push(record);
      if (--wanted === 0) break;
    }
    return found.reverse();
  }
}

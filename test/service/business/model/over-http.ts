/** Businesses of the program as users start it, over HTTP. A restart ends it with kill -9. */

import { type AnyOperation, methodOf, pathOf } from "../../../../src/contract/operation.js";
import type { SandboxAccount } from "../../../../src/index.js";
import { serviceOperations } from "../../../../src/service/index.js";
import { accountId } from "../../../../src/world/account/account-id.js";
import { freshFolder, startOn } from "../../../support/folder.js";
import type { Program } from "../../../support/program.js";
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

const operations = new Map(serviceOperations.map((operation) => [operation.id, operation]));

/** One program for many accounts. After a restart on the same folder it has a different port. */
export class ProgramOnFolder {
  readonly #folder = freshFolder();
  #program: Promise<Program> = startOn(this.#folder);

  async account(key: string): Promise<SandboxAccount> {
    return (await this.#program).account(key);
  }

  /** Output since it started. */
  async warnings(): Promise<string[]> {
    const text = (await this.#program).stderr();
    return text === "" ? [] : [text];
  }

  async restart(): Promise<void> {
    await (await this.#program).stop("SIGKILL");
    this.#program = startOn(this.#folder);
    await this.#program;
  }
}

/** Links contain the server's address, which changes with each restart. */
const read = async (response: Response, url: string): Promise<Json> =>
  JSON.parse((await response.text()).replaceAll(url, "http://localhost")) as Json;

export class HttpBusiness implements Business {
  constructor(
    readonly program: ProgramOnFolder,
    readonly key: string,
    public account: SandboxAccount,
  ) {}

  /** Creates an account whose clock is frozen at `now`. */
  static async open(program: ProgramOnFolder, key: string, now: number): Promise<HttpBusiness> {
    const account = await program.account(key);
    await account.clock.freeze(new Date(now).toISOString());
    return new HttpBusiness(program, key, account);
  }

  get accountId(): string {
    return accountId(this.key);
  }

  async #send(
    method: string,
    path: string,
    body?: Json,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const { account } = this;
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const json = { "Content-Type": "application/json", ...headers };
    const response = await account.fetch(path, {
      method,
      headers: body === undefined ? headers : json,
      ...init,
    });
    const reply = await read(response, account.baseUrl);
    return response.ok ? answered(reply) : refused((reply.error as { code: string }).code);
  }

  call(id: string, body: Json, outcome?: string): Promise<Reply> {
    const operation = operations.get(id) as AnyOperation;
    const headers = outcome === undefined ? {} : { "X-Sandbox-Outcome": outcome };
    return this.#send(methodOf(operation), pathOf(operation), operation.body && body, headers);
  }

  async pay(reference: string, input: CardInput): Promise<Reply> {
    return withoutMessage(await this.#send("POST", `/_sandbox/checkout/${reference}/pay`, { ...input }));
  }

  async move(_machine: Machine, id: string, move: string): Promise<Reply> {
    const { code, body } = await this.#send("POST", `/_sandbox/records/${id}/moves/${move}`, {});
    return code ? refused(code) : answered({ state: body.state, record: body.record });
  }

  async verify(business_verified: boolean): Promise<void> {
    await this.account.update({ business_verified });
  }

  async advance(ms: number): Promise<void> {
    await this.account.advance(`${ms}ms`);
  }

  async restart(): Promise<void> {
    // A delivery that the kill cuts off is sent again, which the check that each is sent once would take for a fault.
    await this.account.advance("0s");
    await this.program.restart();
    this.account = await this.program.account(this.key);
  }

  snapshot(): Promise<unknown> {
    return this.account.snapshot();
  }

  async restore(snapshot: unknown): Promise<void> {
    await this.account.restore(snapshot as Awaited<ReturnType<SandboxAccount["snapshot"]>>);
  }

  async see(from: From): Promise<Seen> {
    const get = async (path: string) => (await this.#send("GET", `/v1/business/${path}`)).body;
    const { state } = await this.account.snapshot();
    const table = <T>(name: string): T[] => Object.values(state[name] ?? {}) as T[];
    const records = machineNames.map((name) => [name, table<SeenRecord>(name)]);
    return {
      overview: await get("overview"),
      payments: (await get("payments")).payments as Json[],
      accounts: (await get("virtual-accounts")).accounts as Json[],
      balances: table<Seen["balances"]>("ledger")[0] ?? {},
      records: Object.fromEntries(records) as Seen["records"],
      entries: table<Seen["entries"][0]>("ledger_entries").slice(from.entries),
      events: table<Seen["events"][0]>("events").slice(from.events),
      warnings: await this.program.warnings(),
    };
  }
}

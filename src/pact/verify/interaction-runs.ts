/** Gives each interaction its own account and credentials, and finds out which calls of the verifier belong to it. */

import type { IncomingHttpHeaders } from "node:http";
import { SandboxAccount } from "../../client/account/account.js";
import { isKey, isRefusedKey, modeOfKey } from "../../contract/api-keys.js";
import type { PactInteraction, StateCall } from "./pact-file.js";

/** State of the verification of one interaction. */
export interface InteractionRun {
  account: SandboxAccount;
  /** States requested so far, in order. */
  states: StateCall[];
  /** Values that the verifier got for each state that was set up, in the same order. */
  stateValues: Record<string, unknown>[];
  /** Why a state could not be set up. */
  stateError: string | null;
  /** Why no message could be produced. */
  messageError: string | null;
  /** Why the service does not have the requested path. */
  pathError: string | null;
  /** The request as the verifier sent it; null for messages, and if no request came. */
  request: { method: string; path: string } | null;
  /** Description of the requested message; null for requests. */
  message: string | null;
  /** The last answer that the verifier got. */
  answer: { status: number; body: string } | null;
  /** True after the request, the message or a teardown: the next call belongs to the next interaction. */
  isOver: boolean;
}

const newRun = (account: SandboxAccount): InteractionRun => ({
  account,
  states: [],
  stateValues: [],
  stateError: null,
  messageError: null,
  pathError: null,
  request: null,
  message: null,
  answer: null,
  isOver: false,
});

const refusedToken = /invalid|expired/;

export const apiKeyIn = (headers: IncomingHttpHeaders): string => String(headers["x-service-key"] ?? "");

/**
 * Returns the headers to forward. Credentials that are meant to be refused are kept, malformed keys included, unless the
 * consumer is known to expect success.
 */
export async function withOwnCredentials(
  headers: IncomingHttpHeaders,
  account: SandboxAccount,
  mayBeRefused: boolean,
): Promise<IncomingHttpHeaders> {
  const { host: _host, ...others } = headers;
  const key = apiKeyIn(others);
  const isKept = key === "" || isRefusedKey(key) || (mayBeRefused && !isKey(key));
  if (!isKept) others["x-service-key"] = account.key;
  const token = /^Bearer (.+)$/i.exec(others.authorization ?? "")?.[1];
  if (token !== undefined && !refusedToken.test(token)) {
    const fresh = await account.call("createSessionToken");
    others.authorization = `Bearer ${fresh.token}`;
  }
  return others;
}

export interface InteractionRunsOptions {
  sandboxUrl: string;
  /** Returns a key that no other interaction uses. */
  freshKey(mode: "test" | "live"): string;
  /** The interactions in the verifier's order. Omitted if they are not known in advance. */
  interactions?: readonly Pick<PactInteraction, "mode" | "status">[];
}

export class InteractionRuns {
  readonly all: InteractionRun[] = [];

  constructor(readonly options: InteractionRunsOptions) {}

  /** Returns the run that a state belongs to. */
  current(): InteractionRun {
    const last = this.all.at(-1);
    return last && !last.isOver ? last : this.#start();
  }

  /**
   * Returns the run that a request or message belongs to, and ends it: the next call belongs to the next interaction.
   * Its account has another mode only if states were set up on it before the mode was known; see `moveStates`.
   */
  end(mode: "test" | "live"): InteractionRun {
    const run = this.#inMode(mode);
    run.isOver = true;
    return run;
  }

  /**
   * Gives the run an account of this mode with the same states. Returns replacements for the values that the verifier
   * has already received for the states, such as ids. Rejects with a ControlError if a state cannot be set up.
   */
  async moveStates(run: InteractionRun, mode: "test" | "live"): Promise<Map<string, string>> {
    run.account = this.#freshAccount(mode);
    const replacements = new Map<string, string>();
    for (const [index, { name: state, params }] of run.states.entries()) {
      const values = await run.account.call("changeProviderState", { body: { state, params } });
      for (const [name, value] of Object.entries(values)) {
        const known = run.stateValues[index]?.[name];
        if (typeof known === "string" && known !== value) replacements.set(known, String(value));
      }
    }
    return replacements;
  }

  /** Ends the last run. */
  tearDown(): void {
    const last = this.all.at(-1);
    if (last) last.isOver = true;
  }

  /** Returns whether the consumer expects the request of the run to be refused; null if that is not known. */
  expectsRefusal(run: InteractionRun): boolean | null {
    const interaction = this.options.interactions?.[this.all.indexOf(run)];
    return interaction ? interaction.status === 401 : null;
  }

  #inMode(mode: "test" | "live"): InteractionRun {
    const last = this.all.at(-1);
    if (!last || last.isOver) return this.#start(mode);
    if (modeOfKey(last.account.key) === mode || last.states.length > 0) return last;
    this.all.pop();
    return this.#start(mode);
  }

  #start(mode = this.options.interactions?.[this.all.length]?.mode ?? "test"): InteractionRun {
    const run = newRun(this.#freshAccount(mode));
    this.all.push(run);
    return run;
  }

  #freshAccount(mode: "test" | "live"): SandboxAccount {
    const { sandboxUrl: baseUrl, freshKey } = this.options;
    return new SandboxAccount({ baseUrl, key: freshKey(mode) });
  }
}

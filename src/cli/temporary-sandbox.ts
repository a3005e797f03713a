/** Starts an in-memory sandbox for one run of a command. */
import type { CoverageReport } from "../client/account/types.js";
import { withoutProxy } from "../client/without-proxy.js";
import { isKey, keyRule } from "../contract/api-keys.js";
import { defaultLockFile } from "../contract/drift-lock.js";
import type { RulesOfAccount } from "../rules/rules.js";
import { startServer } from "../sandbox.js";
import type { Account } from "../world/account/account.js";
import { newKey } from "../world/account/account-id.js";
import { CommandClient, type ConnectionFlags, connect } from "./connection.js";
import { UsageError } from "./errors.js";
import {
  type Config,
  describeStartError,
  readConfig,
  type SandboxFlags,
  toBehaviour,
} from "./sandbox-options.js";

export interface TemporarySandbox {
  /** Control API, on the account of the key. */
  readonly api: CommandClient;
  /** Environment for commands that use the sandbox. */
  readonly env: NodeJS.ProcessEnv;
  /** Accounts that were opened, in this order. */
  accounts(): Iterable<Account>;
  close(): Promise<void>;
}

export interface TemporarySandboxOptions {
  readonly flags: SandboxFlags;
  readonly config: Config;
  readonly key: string;
  /** Default 0: a free port. */
  readonly port?: number;
  /** Values that override flags and config. */
  readonly assumptions?: Readonly<Record<string, string>>;
  /** Returns the rules of an account by its number in the order of opening. Default: none. */
  readonly rulesOf?: RulesOfAccount;
  /** Called with an account before a reset or restore discards its past. Default: none. */
  readonly beforeRefill?: (account: Account) => void;
}

/** The key of commands that make up one for themselves. */
export const newKeyOption = ["--key <key>", "API key of the account (default: a new test key)"] as const;

/** Returns the key of --key, or a new test key. */
export function keyOf({ key }: { key?: string }): string {
  if (key === undefined) return newKey();
  if (isKey(key)) return key;
  throw new UsageError(`--key must be ${keyRule}`);
}

const host = "127.0.0.1";

/** Starts a sandbox on the loopback address, with a control API that needs no token. */
export async function startTemporarySandbox(options: TemporarySandboxOptions): Promise<TemporarySandbox> {
  const { flags, config, key, port = 0, assumptions = {}, rulesOf = () => [], beforeRefill } = options;
  const behaviour = toBehaviour(flags, config);
  const sandbox = await startServer({
    ...behaviour,
    keys: [...(behaviour.keys ?? []), key],
    defaultKey: key,
    adminToken: null,
    assumptions: { ...behaviour.assumptions, ...assumptions },
    rulesOf,
    ...(beforeRefill && { beforeRefill }),
    host,
    port,
  }).catch((error: unknown) => {
    throw new UsageError(describeStartError(error, host, port));
  });
  const api = new CommandClient({ baseUrl: sandbox.url, key });
  const { value } = await api.call("getAccount");
  const env = {
    ...process.env,
    ...withoutProxy(host),
    STANDIN_URL: sandbox.url,
    SERVICE_BASE_URL: sandbox.url,
    SERVICE_KEY: key,
    WEBHOOK_SECRET: value.webhook_secret,
    ...(value.code === null ? {} : { STANDIN_CODE: value.code }),
  };
  let accounts: Iterable<Account> = [];
  sandbox.attach(({ world }) => {
    accounts = world.accounts();
  });
  return { api, env, accounts: () => accounts, close: () => sandbox.close() };
}

/** Starts a sandbox, and closes it once `use` has settled. */
export async function withTemporarySandbox<Result>(
  options: TemporarySandboxOptions,
  use: (sandbox: TemporarySandbox) => Promise<Result>,
): Promise<Result> {
  const sandbox = await startTemporarySandbox(options);
  return use(sandbox).finally(() => sandbox.close());
}

/**
 * Asks a question that any sandbox can answer: the sandbox at --url or STANDIN_URL, or else a temporary one with the settings
 * of the config file and of the lock file of standin drift.
 */
export async function askAnySandbox<Answer>(
  flags: ConnectionFlags,
  ask: (api: CommandClient) => Promise<Answer>,
): Promise<Answer> {
  if (flags.url !== undefined || process.env.STANDIN_URL) return ask(connect(flags));
  const config = { driftLock: defaultLockFile, ...(await readConfig(process.env.STANDIN_CONFIG)) };
  return withTemporarySandbox({ flags: {}, config, key: newKey() }, ({ api }) => ask(api));
}

/** Message about a command that made no request. */
export const calledNothing =
  "nothing called the service: the command has to send its requests to the address in STANDIN_URL (also SERVICE_BASE_URL), with the key in SERVICE_KEY";

/** Returns whether a command made requests, with the key whose coverage is given or on accounts that it opened itself. */
export async function isUsed(api: CommandClient, { summary }: CoverageReport): Promise<boolean> {
  if (summary.operations.exercised > 0) return true;
  return (await api.call("listAccounts")).value.items.length > 1;
}

/** Describes `env` in --help. */
export const environmentHelp = `Environment variables set for the command:
  STANDIN_URL, SERVICE_BASE_URL  base URL of the sandbox
  SERVICE_KEY                    API key of the account
  WEBHOOK_SECRET                 secret with which the account's webhooks are signed
  STANDIN_CODE                   one-time code of --code, if it is given`;

/** A sandbox in this process for one run of a command, and the environment in which the command finds it. */
import { Option } from "commander";
import { type RunningSandbox, startServer } from "../sandbox.js";
import { isKey } from "../server/authenticate.js";
import { unpredictable } from "../world/time/random.js";
import { type Config, UsageError } from "./config.js";
import { ControlApi } from "./control-api.js";
import { type SettingsFlags, toSettings, whyNot } from "./sandbox-options.js";

export interface TestBed {
  readonly sandbox: RunningSandbox;
  /** On the account whose key the command gets. */
  readonly api: ControlApi;
  readonly env: NodeJS.ProcessEnv;
}

export interface TestBedOptions {
  readonly flags: SettingsFlags;
  readonly config: Config;
  readonly key: string;
  readonly port?: number;
  /** Over those of flags and config. */
  readonly assumptions?: Readonly<Record<string, string>>;
}

export const freshKeyOption = (): Option =>
  new Option("--key <key>", "API key of the account (default: a fresh test key)");

export function keyOf({ key }: { key?: string }): string {
  if (key === undefined) return `svc_test_${unpredictable(12)}`;
  if (isKey(key)) return key;
  throw new UsageError(
    "--key takes 8 to 128 visible ASCII characters that do not end in _invalid or _revoked",
  );
}

const host = "127.0.0.1";

/** In memory, for this machine alone, its control API open to the command. */
export async function startTestBed(options: TestBedOptions): Promise<TestBed> {
  const { flags, config, key, port = 0, assumptions = {} } = options;
  const settings = toSettings(flags, config);
  const sandbox = await startServer({
    ...settings,
    keys: [...settings.keys, key],
    adminToken: null,
    assumptions: { ...settings.assumptions, ...assumptions },
    host,
    port,
  }).catch((error: unknown) => {
    throw new UsageError(whyNot(error, host, port));
  });
  const api = new ControlApi(sandbox.url, key, null);
  const { value } = await api.call<{ webhook_secret: string }>("GET", "/account");
  return { sandbox, api, env: environment(sandbox.url, key, value.webhook_secret) };
}

const environment = (url: string, key: string, secret: string): NodeJS.ProcessEnv => ({
  ...process.env,
  STANDIN_URL: url,
  SERVICE_BASE_URL: url,
  SERVICE_KEY: key,
  WEBHOOK_SECRET: secret,
});

/** What --help says of the environment. */
export const saysEnvironment = `The command finds in its environment:
  STANDIN_URL, SERVICE_BASE_URL  base URL of the sandbox
  SERVICE_KEY                    a fresh test key, unless --key names another
  WEBHOOK_SECRET                 the key of X-Service-Signature for that account`;

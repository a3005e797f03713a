/** What the commands that steer a running sandbox have in common: where it is, whose account, and how they print. */
import type { Command } from "commander";
import { testKey } from "../server/settings.js";
import { UsageError } from "./config.js";
import { type Answer, ControlApi } from "./control-api.js";

export { taught } from "./taught.js";

export interface SteeringFlags {
  url?: string;
  key?: string;
  adminToken?: string;
  json?: true;
}

export const defaultUrl = "http://127.0.0.1:4010";

/** Gives a command the options that all commands on a running sandbox take; its own come before them in its help. */
export const onSandbox = (
  command: Command,
  json = "print what the control API answered, as one JSON document",
): Command =>
  command
    .optionsGroup("Which sandbox, whose account:")
    .option("--url <url>", `the running sandbox (default STANDIN_URL, else ${defaultUrl})`)
    .option("--key <key>", `API key of the account (default SERVICE_KEY, else ${testKey})`)
    .option("--admin-token <token>", "token of standin start --admin-token (default STANDIN_ADMIN_TOKEN)")
    .optionsGroup("Output:")
    .option("--json", json);

export function controlApi({ url, key, adminToken }: SteeringFlags): ControlApi {
  const { SERVICE_KEY, STANDIN_ADMIN_TOKEN } = process.env;
  return new ControlApi(
    baseUrl(url),
    key !== undefined ? sendable(key, "--key") : sendable(SERVICE_KEY || testKey, "SERVICE_KEY"),
    adminToken !== undefined
      ? sendable(adminToken, "--admin-token")
      : sendable(STANDIN_ADMIN_TOKEN ?? "", "STANDIN_ADMIN_TOKEN") || null,
  );
}

export function baseUrl(flag: string | undefined): string {
  const given = flag ?? (process.env.STANDIN_URL || defaultUrl);
  if (URL.canParse(given) && /^https?:\/\/[^?#@]+$/.test(given)) return given.replace(/\/+$/, "");
  const where = flag === undefined ? "STANDIN_URL" : "--url";
  throw new UsageError(`${where} must be an http or https URL such as ${defaultUrl}; got ${given}`);
}

/** What stands in a header must be able to. */
function sendable(text: string, where: string): string {
  if (/^[\x21-\x7e]*$/.test(text)) return text;
  throw new UsageError(`${where} takes printable ASCII characters without spaces`);
}

/** The answer as it came, or as people read it. */
export function print<T>(
  { json }: SteeringFlags,
  { text, value }: Answer<T>,
  read: (value: T) => string,
): void {
  write(`${json ? text : read(value)}\n`);
}

export const write = (text: string): void => void process.stdout.write(text);

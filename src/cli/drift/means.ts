/** Access of a tester to the real service: codes, replies of a person, and an address for webhooks. */
import { exec } from "node:child_process";
import { promisify } from "node:util";
import { CouldNotCheck } from "../../drift/outcome.js";
import type { CodeRequest, PersonAnswer } from "../../drift/probes/probe.js";
import { openWebhookReceiver, type WebhookReceiver } from "../../drift/receiver.js";
import { minute } from "../../time/time.js";
import { UsageError } from "../errors.js";
import type { DriftFlags } from "./flags.js";

const commandTimeoutMs = 5 * minute;

/** Runs a command in the shell and returns its output. The error omits the output, which may hold a code. */
async function run(flag: string, command: string, env: Readonly<Record<string, string>>): Promise<string> {
  try {
    const options = { env: { ...process.env, ...env }, timeout: commandTimeoutMs };
    return (await promisify(exec)(command, options)).stdout;
  } catch (error) {
    const { code, killed } = error as { code?: number | string; killed?: boolean };
    throw new CouldNotCheck(`the command of ${flag} failed (${killed ? "timeout" : `exit code ${code}`})`);
  }
}

export const codeReader =
  (command: string) =>
  async ({ id, to }: CodeRequest): Promise<string> => {
    const output = await run("--otp-cmd", command, { STANDIN_DRIFT_ID: id, STANDIN_DRIFT_TO: to });
    const code = /(?<!\d)\d{4,8}(?!\d)/.exec(output)?.[0];
    if (code === undefined)
      throw new CouldNotCheck("the command of --otp-cmd printed no code of 4 to 8 digits");
    return code;
  };

export const replySender =
  (command: string) =>
  async ({ channel, from, text }: PersonAnswer): Promise<void> =>
    void (await run("--reply-cmd", command, {
      STANDIN_DRIFT_CHANNEL: channel,
      STANDIN_DRIFT_FROM: from,
      STANDIN_DRIFT_TEXT: text,
    }));

export async function receiverFor({ webhookUrl, webhookPort }: DriftFlags): Promise<WebhookReceiver | null> {
  if (webhookUrl === undefined) {
    if (webhookPort !== undefined) throw new UsageError("--webhook-port requires --webhook-url");
    return null;
  }
  if (!URL.canParse(webhookUrl) || !/^https?:/.test(webhookUrl))
    throw new UsageError("--webhook-url must be an http or https URL");
  const { hostname, port: own } = new URL(webhookUrl);
  const isLocal = hostname === "127.0.0.1" || hostname === "localhost";
  if (webhookPort === undefined && !isLocal)
    throw new UsageError(
      "--webhook-url requires --webhook-port, the port of this machine that it forwards to",
    );
  const port = webhookPort ?? Number(own || 80);
  return openWebhookReceiver({ url: webhookUrl, port }).catch((error: Error) => {
    throw new UsageError(`webhooks cannot be received on port ${port}: ${error.message}`);
  });
}

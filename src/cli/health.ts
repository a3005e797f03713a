/** `standin health`: checks that a sandbox answers, for the health checks of containers. */

import type { Command } from "commander";
import { controlPath } from "../contract/control-routes.js";
import { describeFailedRequest } from "../contract/failed-request.js";
import { nameOfHost } from "../server/request-address.js";
import { topCommand } from "./command-list.js";
import { baseUrlOf, httpFetch } from "./connection.js";
import { CommandError } from "./errors.js";
import { type FlagsOf, flagTable, hiddenOption, withFlags } from "./flags.js";
import { type JsonFlag, jsonOption, printResult } from "./output/print.js";
import {
  listenAddress,
  parseTimeoutFlag,
  readConfig,
  type SandboxFlags,
  sandboxOption,
  toSandboxOptions,
} from "./sandbox-options.js";

const options = flagTable(null, [
  ["--url <url>", "URL of the sandbox (default STANDIN_URL, else the address of this machine)"],
  ["--timeout <duration>", "time limit for the answer (default 2s)", { parse: parseTimeoutFlag }],
  hiddenOption(sandboxOption("port")),
  hiddenOption(sandboxOption("host")),
]);

type Flags = SandboxFlags & FlagsOf<typeof options> & JsonFlag;

const defaultTimeoutMs = 2_000;

const notes = `Without a URL, it asks the sandbox of this machine at the port that "standin start" would use with the same environment
and config file. Exit codes: 0 the sandbox answers, 1 it does not.`;

export const healthCommand = (): Command =>
  withFlags(
    topCommand(
      "health",
      ["standin health", "standin health --url http://sandbox:4010 --timeout 500ms"],
      notes,
    ),
    options,
    jsonOption("print the result as one JSON document"),
  ).action(health);

async function health(flags: Flags): Promise<void> {
  const url = flags.url || process.env.STANDIN_URL ? baseUrlOf(flags.url) : await localUrl(flags);
  const problem = await problemOf(url, flags.timeout ?? defaultTimeoutMs);
  if (problem !== null) throw new CommandError(`the sandbox at ${url} does not answer: ${problem}`);
  printResult(flags, { url, status: "ok" }, () => `The sandbox at ${url} answers.`);
}

async function localUrl(flags: SandboxFlags): Promise<string> {
  const { host, port } = listenAddress(toSandboxOptions(flags, await readConfig(process.env.STANDIN_CONFIG)));
  return `http://${nameOfHost(host)}:${port}`;
}

/** Returns why the sandbox is not healthy, or null. */
async function problemOf(url: string, timeout: number): Promise<string | null> {
  const signal = AbortSignal.timeout(timeout);
  try {
    const reply = await httpFetch(url + controlPath("getHealth"), { signal });
    if (reply.status !== 200) return `${reply.status}`;
    const { status } = (await reply.json()) as { status?: unknown };
    return status === "ok" ? null : "the server at this URL is not a sandbox";
  } catch (error) {
    return signal.aborted ? "no answer in time" : describeFailedRequest(error);
  }
}

/** `standin record`: records what a client does with the real service. */
import { type Command, Option } from "commander";
import { topCommand } from "../documented-command.js";
import { formatExitCodes } from "../errors.js";
import { parsePort } from "../option-parsers.js";
import { withFields } from "../sandbox-options.js";
import { formOption } from "../scenario/write-recording.js";
import type { RecordFlags } from "./flags.js";

const notes = `A proxy on 127.0.0.1 passes requests on to the service. Point the base URL of the client there, with its own test key, or
let standin record run it: a command after -- has the address in SERVICE_BASE_URL and STANDIN_URL. The recording is written
when the command ends, or on Ctrl+C. It is a scenario that passes on a new account of a sandbox, or a pact: ids are
captured and reused, and keys, codes and the data of people are replaced. Webhooks do not pass the proxy: the service
sends them to the URL that the client has registered, and the scenario receives those of the sandbox.`;

const exitHelp = `${formatExitCodes({
  passed: "every reply follows the contract",
  failed: "a reply deviates",
  couldNotRun: "the command line is invalid",
  notTried:
    "no reply deviates, and none came or one could not be compared, for example because the service did not answer",
})}
A command that fails determines the exit code.`;

const examples = [
  "standin record --from https://api.example.com --out stories/checkout.yaml",
  "standin record --from https://api.example.com --out stories/checkout.yaml -- npm test",
  "standin record --from https://api.example.com --as pact --out pacts/checkout.json -- npm test",
];

/** Beside the port of a sandbox. */
const defaultPort = 4011;

export const recordCommand = (): Command =>
  withFields(
    topCommand("record", examples, notes, exitHelp)
      .usage("--from <url> [options] [-- <command...>]")
      .argument("[command...]", "command to run, after --")
      .passThroughOptions()
      .requiredOption("--from <url>", "base URL of the service")
      .option("--out <file>", "output file, overwritten if it exists (default: stdout)")
      .addOption(formOption())
      .addOption(
        new Option(
          "--port <port>",
          `port to listen on (default ${defaultPort}, or a free port for a command)`,
        ).argParser(parsePort),
      )
      .option(
        "--i-know-this-costs-money",
        "allow a live key; operations that reach people or move money stay excluded",
      )
      .option("--json", "print the findings and what was left out as one JSON document"),
    "Contract:",
    ["assumptions"],
  )
    .addOption(new Option("--config <file>", "config file (default standin.config.json, if it exists)"))
    .action(async (command: string[], flags: RecordFlags) => {
      const { runRecord } = await import("./run.js");
      await runRecord(command, { port: command.length === 0 ? defaultPort : 0, ...flags });
    });

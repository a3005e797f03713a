/** `standin pact export`: exports the traffic of a running sandbox as a Pact file. */
import type { Command } from "commander";
import { type ConnectionFlags, connect, withConnection } from "./connection.js";
import { commandGroup, documentedCommand } from "./documented-command.js";
import { CommandError } from "./errors.js";
import { print, writeOutputFile } from "./output/print.js";
import { formatCount } from "./output/table.js";

interface Flags extends ConnectionFlags {
  webhooks?: true;
  consumer?: string;
  provider?: string;
}

const notes = `The pact has one interaction for each distinct shape of request and response, with matchers from the OpenAPI schemas and
the provider states that it needs. API keys and personal data are replaced. Traffic that a pact cannot represent is listed on stderr.
Webhooks keep their exact bytes, so that their signature can be verified: the provider is your receiver, and a provider
state names the secret.`;

const examples = [
  "standin pact export pacts/shop-service.json --consumer shop",
  "standin pact export --webhooks --provider shop > webhooks.json",
];

export const pactCommand = (): Command =>
  commandGroup("pact", "Create Pact files from the traffic of a running sandbox.", examples, [
    exportCommand(),
  ]);

const exportCommand = (): Command =>
  withConnection(
    documentedCommand(
      "export",
      "Export the account's requests, or its webhook deliveries, as a Pact file.",
      examples,
      notes,
    )
      .argument("[file]", "output file, overwritten if it exists (default: stdout)")
      .option("--webhooks", "export webhook deliveries instead of requests")
      .option("--consumer <name>", 'consumer in the pact (default client; with --webhooks "service")')
      .option("--provider <name>", 'provider in the pact (default service; with --webhooks "receiver")'),
    "print the pact and what was left out as one JSON document",
  ).action(exportPact);

async function exportPact(file: string | undefined, flags: Flags): Promise<void> {
  const { webhooks, consumer, provider } = flags;
  const query = { of: webhooks ? ("webhooks" as const) : ("requests" as const), consumer, provider };
  const { text, value } = await connect(flags).call("exportPact", { query });
  const { pact, left_out } = value;
  if (pact.interactions.length === 0) {
    const reason = `the account has no ${webhooks ? "webhook deliveries" : "requests"} to export`;
    throw new CommandError([reason, ...left_out].join("; "));
  }
  const document = `${JSON.stringify(pact, null, 2)}\n`;
  if (file !== undefined) await writeOutputFile("the pact", file, document);
  if (flags.json) return print(`${text}\n`);
  for (const reason of left_out) process.stderr.write(`left out: ${reason}\n`);
  const interactions = formatCount(pact.interactions.length, "interaction");
  const names = `${pact.consumer.name} and ${pact.provider.name}`;
  print(file === undefined ? document : `Wrote ${interactions} between ${names} to ${file}.\n`);
}

/** `standin pact export`: what went through a running sandbox, as a Pact file. */
import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import type { ExportedPact } from "../library/types.js";
import { CommandFailure } from "./control-api.js";
import { controlApi, onSandbox, type SteeringFlags, taught, write } from "./steering.js";

interface Flags extends SteeringFlags {
  webhooks?: true;
  consumer?: string;
  provider?: string;
}

const what = "Write the account's requests, or its deliveries, as a Pact file.";

const more = `One interaction for each distinct shape, matched by the contract's schemas and with the provider states that it needs;
keys and people are replaced. What cannot be in a pact is said on stderr. Webhooks keep their bytes, so that the signature
checks: their provider is your receiver, and the state names the secret.`;

const examples = [
  "standin pact export pacts/shop-service.json --consumer shop",
  "standin pact export --webhooks --provider shop > webhooks.json",
];

export const pactCommand = (): Command =>
  taught("pact", "Make Pact files of what went through a running sandbox.", examples)
    .helpCommand(false)
    .addCommand(exportCommand());

const exportCommand = (): Command =>
  onSandbox(
    taught("export", what, examples, more)
      .exitOverride()
      .showHelpAfterError('("standin pact export --help" says what it takes)')
      .argument("[file]", "where to write it; what stands there is replaced (default: stdout)")
      .option("--webhooks", "the deliveries, held against their receiver")
      .option("--consumer <name>", 'who sends (default client; with --webhooks "service")')
      .option("--provider <name>", 'who answers (default service; with --webhooks "receiver")'),
    "print the pact and what is left out of it as one JSON document",
  ).action(exportPact);

async function exportPact(file: string | undefined, flags: Flags): Promise<void> {
  const { webhooks, consumer, provider } = flags;
  const query = new URLSearchParams({ of: webhooks ? "webhooks" : "requests" });
  if (consumer !== undefined) query.set("consumer", consumer);
  if (provider !== undefined) query.set("provider", provider);
  const { text, value } = await controlApi(flags).call<ExportedPact>("GET", `/pact/export?${query}`);
  const { pact, left_out } = value;
  const count = pact.interactions.length;
  const nothing = webhooks ? "the account has no deliveries" : "the account's journal has no requests";
  if (count === 0) throw new CommandFailure([`${nothing} for a pact`, ...left_out].join("; "));
  const written = `${JSON.stringify(pact, null, 2)}\n`;
  if (file !== undefined) {
    await writeFile(file, written).catch((error: Error) => {
      throw new CommandFailure(`the pact cannot be written to ${file}: ${error.message}`);
    });
  }
  for (const one of left_out) if (!flags.json) process.stderr.write(`left out: ${one}\n`);
  if (flags.json) write(`${text}\n`);
  else if (file === undefined) write(written);
  else
    write(
      `${file} has ${count} interaction${count === 1 ? "" : "s"} of ${pact.consumer.name} with ${pact.provider.name}.\n`,
    );
}

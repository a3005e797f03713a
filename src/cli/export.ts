/** `standin export`: writes the contract for other tools, and a pact of the account's traffic. */
import type { Command } from "commander";
import type { ExportKindName } from "../documents/export/kinds.js";
import { commandGroup, documentedCommand } from "./command-list.js";
import { baseUrlOf, type ConnectionFlags, connect, controlOptions, defaultUrl } from "./connection.js";
import { CommandError } from "./errors.js";
import { type FlagsOf, flagTable, withFlags } from "./flags.js";
import { outputFile, print } from "./output/print.js";

const examples = [
  "standin export openapi > openapi.json",
  "standin export postman > standin.postman_collection.json",
  "standin export pact pacts/shop-service.json --consumer shop",
];

export const exportCommand = (): Command =>
  commandGroup("export", examples, [
    openapiCommand(),
    toolCommand(
      "postman",
      "Print a Postman collection with a call of each operation.",
      "Each call takes what earlier ones have given, so that all of them succeed in order on a fresh account. Bruno, Insomnia, Hoppscotch and\nJetBrains IDEs import the collection, or the document at /openapi.json.",
    ),
    toolCommand("asyncapi", "Print an AsyncAPI document of the events."),
    toolCommand(
      "arazzo",
      "Print the built-in scenarios as Arazzo workflows.",
      '"redocly respect FILE" runs them.',
    ),
    pactCommand(),
  ]);

const openapiOptions = flagTable(null, [["--control", "print the document of the control API instead"]]);

const baseOption = flagTable(null, [
  ["--url <url>", `base URL in the document (default STANDIN_URL, else ${defaultUrl})`],
]);

const openapiCommand = (): Command =>
  withFlags(
    documentedCommand("openapi", "Print the OpenAPI 3.1 document of the service. No sandbox is needed.", [
      "standin export openapi > openapi.json",
      "standin export openapi --control",
    ]),
    openapiOptions,
    baseOption,
  ).action(async ({ control, url }: FlagsOf<typeof openapiOptions> & FlagsOf<typeof baseOption>) => {
    const server = baseUrlOf(url);
    // Imported here, because it is large and few commands need it.
    const { controlDocument, serviceDocument } = await import("../documents/contracts.js");
    const document = control ? controlDocument(server) : serviceDocument(server);
    print(`${JSON.stringify(document, null, 2)}\n`);
  });

const toolCommand = (kind: ExportKindName, description: string, ...notes: readonly string[]): Command =>
  withFlags(
    documentedCommand(kind, `${description} No sandbox is needed.`, [`standin export ${kind}`], ...notes),
    baseOption,
  ).action(async ({ url }: FlagsOf<typeof baseOption>) => {
    const { formatExport } = await import("../documents/export/kinds.js");
    print(await formatExport(kind, baseUrlOf(url)));
  });

const pactNotes = `The pact has one interaction for each distinct shape of request and response, with matchers from the OpenAPI schemas and
the provider states that it needs. API keys and personal data are replaced. Traffic that a pact cannot represent is listed on stderr.
Webhooks keep their exact bytes, so that their signature can be verified: the provider is your receiver, and a provider
state names the secret.`;

const pactOptions = flagTable(null, [
  ["--webhooks", "export webhook deliveries instead of requests"],
  ["--consumer <name>", 'consumer in the pact (default client; with --webhooks "service")'],
  ["--provider <name>", 'provider in the pact (default service; with --webhooks "receiver")'],
]);

type PactFlags = ConnectionFlags & FlagsOf<typeof pactOptions>;

const pactCommand = (): Command =>
  withFlags(
    documentedCommand(
      "pact",
      "Export the account's requests, or its webhook deliveries, as a Pact file.",
      [
        "standin export pact pacts/shop-service.json --consumer shop",
        "standin export pact --webhooks --provider shop > webhooks.json",
      ],
      pactNotes,
    ).argument("[file]", "output file, overwritten if it exists (default: stdout)"),
    pactOptions,
    ...controlOptions("print the pact and what was left out as one JSON document"),
  ).action(exportPact);

async function exportPact(file: string | undefined, flags: PactFlags): Promise<void> {
  const { webhooks, consumer, provider } = flags;
  const query = { of: webhooks ? ("webhooks" as const) : ("requests" as const), consumer, provider };
  const { value } = await connect(flags).export("pact", { query });
  const { pact, left_out } = value;
  if (pact.interactions.length === 0) {
    const reason = `the account has no ${webhooks ? "webhook deliveries" : "requests"} to export`;
    throw new CommandError([reason, ...left_out].join("; "));
  }
  const { writePact } = await import("./scenario/record.js");
  await writePact(value, { json: flags.json, file: outputFile(file) });
}

/** `standin openapi`: prints an OpenAPI document without a running sandbox. */
import type { Command } from "commander";
import { baseUrlOf, defaultUrl } from "./connection.js";
import { documentedCommand } from "./documented-command.js";
import { print } from "./output/print.js";

interface Flags {
  control?: true;
  url?: string;
}

export const openapiCommand = (): Command =>
  documentedCommand("openapi", "Print the OpenAPI 3.1 document of the service. No sandbox is needed.", [
    "standin openapi > openapi.json",
    "standin openapi --control",
  ])
    .option("--control", "print the document of the control API instead")
    .option("--url <url>", `server URL in the document (default STANDIN_URL, else ${defaultUrl})`)
    .action(async ({ control, url }: Flags) => {
      const server = baseUrlOf(url);
      // Imported here, because it is large and no other command needs it.
      const { controlDocument, serviceDocument } = await import("../documents/contracts.js");
      const document = control ? controlDocument(server) : serviceDocument(server);
      print(`${JSON.stringify(document, null, 2)}\n`);
    });

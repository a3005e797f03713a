/** `standin openapi`: the contracts, without a sandbox. */
import type { Command } from "commander";
import { baseUrl, defaultUrl, taught, write } from "./steering.js";

interface Flags {
  control?: true;
  url?: string;
}

export const openapiCommand = (): Command =>
  taught("openapi", "Print the service's contract, OpenAPI 3.1; no sandbox need run.", [
    "standin openapi > openapi.json",
    "standin openapi --control",
  ])
    .option("--control", "the control API's contract instead")
    .option("--url <url>", `the server that it names (default STANDIN_URL, else ${defaultUrl})`)
    .option("--json", "taken as everywhere; the contract is JSON without it too")
    .action(async ({ control, url }: Flags) => {
      const server = baseUrl(url);
      // Heavy, and of no use to the commands beside this one.
      const { controlDocument, serviceDocument } = await import("../contracts.js");
      const contract = control ? controlDocument(server) : serviceDocument(server);
      write(`${JSON.stringify(contract, null, 2)}\n`);
    });

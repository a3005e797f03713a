/** `standin export`: writes the contract in the form of another tool. */
import { join } from "node:path";
import { Argument, type Command } from "commander";
import { type ExportKindName, exportKindNames } from "../documents/export/names.js";
import { baseUrlOf, defaultUrl } from "./connection.js";
import { documentedCommand } from "./documented-command.js";
import { print, writeInFolder } from "./output/print.js";

interface Flags {
  out?: string;
  url?: string;
}

const notes = `postman and bruno are collections with a call of each operation, and http is a file of the same calls for JetBrains IDEs and httpYac,
with its environment beside it. Each call takes what earlier ones have given, so that all of them succeed in order on a fresh
account. asyncapi describes the events. arazzo has the built-in scenarios as workflows, which redocly respect runs. A running
sandbox has the same files at /docs/exports.`;

export const exportCommand = (): Command =>
  documentedCommand(
    "export",
    "Write the contract as a collection or document of another tool. No sandbox is needed.",
    ["standin export postman > standin.postman_collection.json", "standin export http --out requests"],
    notes,
  )
    .addArgument(new Argument("<kind>", "what to write").choices(exportKindNames))
    .option(
      "--out <folder>",
      "folder to write the files to, made if it does not exist (default: the file goes to stdout)",
    )
    .option("--url <url>", `base URL of the calls (default STANDIN_URL, else ${defaultUrl})`)
    .action(async (kind: ExportKindName, { out, url }: Flags) => {
      // Imported here, because it is large and few commands need it.
      const { exportFiles } = await import("../documents/export/kinds.js");
      const files = Object.entries(await exportFiles(kind, baseUrlOf(url)));
      if (out === undefined) return print(files[0]?.[1] ?? "");
      for (const [name, text] of files) await writeInFolder(name, join(out, name), text);
      print(`Wrote ${files.map(([name]) => join(out, name)).join(" and ")}.\n`);
    });

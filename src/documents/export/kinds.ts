/** The exports of the contract, for the tools that integrators already have. */

import { readBundledScenarios } from "../../scenarios/bundled-scenarios.js";
import { testKey } from "../../server/settings.js";
import { serviceOperations } from "../../service/index.js";
import { serviceDocument } from "../contracts.js";
import { toArazzo } from "./arazzo.js";
import { toAsyncApi } from "./asyncapi.js";
import { type ExportInput, sampleCalls } from "./calls.js";
import { toPostman } from "./postman.js";

/** A form in which the contract can be written. */
interface ExportKind {
  /** Description for lists. */
  title: string;
  /** Name of the file. */
  file: string;
  write(input: ExportInput): object | Promise<object>;
}

export const exportKinds = {
  postman: { title: "Postman collection 2.1", file: "standin.postman_collection.json", write: toPostman },
  asyncapi: { title: "AsyncAPI 3 document of the events", file: "standin.asyncapi.json", write: toAsyncApi },
  arazzo: {
    title: "Arazzo workflows of the built-in scenarios",
    file: "standin.arazzo.json",
    write: async (input) => toArazzo(input, await readBundledScenarios()),
  },
} satisfies Readonly<Record<string, ExportKind>>;

export type ExportKindName = keyof typeof exportKinds;

const description = [
  "A call of each operation of the service, in an order in which all of them succeed on a fresh account of a sandbox.",
  "The files to upload are in fixtures/files of the package of Standin.",
].join("\n");

/** Returns the kind of export that has a file, or null. */
export function exportOfFile(file: string): ExportKindName | null {
  const kinds = Object.entries(exportKinds) as [ExportKindName, ExportKind][];
  return kinds.find(([, kind]) => file === kind.file)?.[0] ?? null;
}

/** Returns the text of an export, with calls to a base URL. */
export async function formatExport(name: ExportKindName, baseUrl: string): Promise<string> {
  const input: ExportInput = {
    title: "Standin",
    description,
    baseUrl,
    key: testKey,
    calls: sampleCalls(serviceOperations),
    contract: serviceDocument(baseUrl),
  };
  return `${JSON.stringify(await exportKinds[name].write(input), null, 2)}\n`;
}

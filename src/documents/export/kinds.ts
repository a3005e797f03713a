/** The exports of the contract, for the tools that integrators already have. */

import { readBundledScenarios } from "../../scenarios/bundled-scenarios.js";
import { testKey } from "../../server/settings.js";
import { serviceOperations } from "../../service/index.js";
import { serviceDocument } from "../contracts.js";
import { toArazzo } from "./arazzo.js";
import { toAsyncApi } from "./asyncapi.js";
import { toBruno } from "./bruno.js";
import { type ExportInput, sampleCalls } from "./calls.js";
import { toHttp, toHttpEnvironment } from "./http.js";
import type { ExportKindName } from "./names.js";
import { toPostman } from "./postman.js";

export interface ExportKind {
  /** Description for lists. */
  title: string;
  /** Name of the file, and of another one beside it. */
  file: string;
  beside?: { file: string; write(input: ExportInput): object };
  write(input: ExportInput): object | string | Promise<object>;
}

export const exportKinds: Readonly<Record<ExportKindName, ExportKind>> = {
  postman: { title: "Postman collection 2.1", file: "standin.postman_collection.json", write: toPostman },
  bruno: { title: "Bruno collection", file: "standin.bruno.json", write: toBruno },
  http: {
    title: ".http file for JetBrains IDEs and httpYac, with its environment",
    file: "standin.http",
    beside: { file: "http-client.env.json", write: toHttpEnvironment },
    write: toHttp,
  },
  asyncapi: { title: "AsyncAPI 3 document of the events", file: "standin.asyncapi.json", write: toAsyncApi },
  arazzo: {
    title: "Arazzo workflows of the built-in scenarios",
    file: "standin.arazzo.json",
    write: async (input) => toArazzo(input, await readBundledScenarios()),
  },
};

const description = [
  "A call of each operation of the service, in an order in which each finds what it needs: on a fresh account of a sandbox, all of them",
  "succeed as they stand. Files are those of fixtures/files in the package of Standin.",
].join("\n");

/** Returns the kind of export that has a file, or null. */
export function exportOfFile(file: string): ExportKindName | null {
  const kinds = Object.entries(exportKinds) as [ExportKindName, ExportKind][];
  return kinds.find(([, kind]) => file === kind.file || file === kind.beside?.file)?.[0] ?? null;
}

/** Returns the files of an export, by name. */
export async function exportFiles(
  name: ExportKindName,
  baseUrl: string,
): Promise<Readonly<Record<string, string>>> {
  const kind = exportKinds[name];
  const input: ExportInput = {
    title: "Standin",
    description,
    baseUrl,
    key: testKey,
    calls: sampleCalls(serviceOperations),
    contract: serviceDocument(baseUrl),
  };
  const format = (written: object | string): string =>
    typeof written === "string" ? written : `${JSON.stringify(written, null, 2)}\n`;
  const { beside } = kind;
  return {
    [kind.file]: format(await kind.write(input)),
    ...(beside ? { [beside.file]: format(beside.write(input)) } : {}),
  };
}

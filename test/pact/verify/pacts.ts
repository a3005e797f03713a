/** Builds pact files and verifies them in this process. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { startSandbox } from "../../../src/index.js";
import type { InteractionResult } from "../../../src/pact/verify/interaction-results.js";
import { readPacts } from "../../../src/pact/verify/pact-file.js";
import { type PactReport, verifyPacts } from "../../../src/pact/verify/verify-pacts.js";
import { serviceOperations } from "../../../src/service/index.js";
import { freshFolder } from "../../support/folder.js";
import { temporaryFolder } from "../../support/program.js";

type Json = Record<string, unknown>;

export const key = { "X-Service-Key": "svc_test_shop" };

/** Builds a request with the shop's key and, if given, a JSON body. */
export const ask = (method: string, path: string, body?: unknown, headers: Json = key): Json => ({
  method,
  path,
  headers: body === undefined ? headers : { ...headers, "Content-Type": "application/json" },
  ...(body === undefined ? {} : { body }),
});

/** Builds a response. `rules` are matchers by JSON path of the body. */
export const answer = (status: number, body?: unknown, rules: Record<string, Json> = {}): Json => ({
  status,
  ...(body === undefined ? {} : { body }),
  matchingRules: {
    body: Object.fromEntries(Object.entries(rules).map(([path, rule]) => [path, { matchers: [rule] }])),
  },
});

export const like = { match: "type" };

export const http = (
  description: string,
  request: Json,
  response: Json,
  ...states: (string | Json)[]
): Json => ({
  description,
  providerStates: states.map((state) => (typeof state === "string" ? { name: state } : state)),
  request,
  response,
});

/** Builds a pact of version 3 of the specification. */
export const pact = (interactions: readonly Json[], consumer = "shop"): Json => ({
  consumer: { name: consumer },
  provider: { name: "service" },
  interactions,
  metadata: { pactSpecification: { version: "3.0.0" } },
});

/** Builds a message pact of version 3, which has a file format of its own. */
export const messages = (list: readonly Json[], consumer = "shop"): Json => ({
  consumer: { name: consumer },
  provider: { name: "service" },
  messages: list,
  metadata: { pactSpecification: { version: "3.0.0" } },
});

export const message = (
  description: string,
  contents: Json,
  metadata: Json = {},
  ...states: string[]
): Json => ({
  description,
  providerStates: states.map((name) => ({ name })),
  contents,
  metadata: { contentType: "application/json", ...metadata },
  matchingRules: { body: { $: { matchers: [like] } } },
});

let files = 0;

export function pactFile(
  document: Json | string,
  folder = freshFolder(),
  name = `pact-${++files}.json`,
): string {
  const file = join(folder, name);
  writeFileSync(file, typeof document === "string" ? document : JSON.stringify(document));
  return file;
}

/**
 * Starts one sandbox for the tests of a file. `verify` resolves to the report, `verifyOne` to the result of one interaction.
 * `together` adds an interaction or a message to those that are verified before the first test, and returns a function that
 * returns its result.
 */
export function useVerifier() {
  let sandbox: Awaited<ReturnType<typeof startSandbox>>;
  let keys = 0;
  const used: string[] = [];
  const folder = temporaryFolder();
  /** What is verified together in one pact, and the results in the same order. */
  const groupOf = (build: (list: Json[]) => Json) => ({
    build,
    list: [] as Json[],
    results: [] as InteractionResult[],
  });
  const groups = { interactions: groupOf(pact), messages: groupOf(messages) };
  beforeAll(async () => {
    sandbox = await startSandbox({ validateReplies: true });
    for (const group of Object.values(groups))
      if (group.list.length > 0) group.results = (await verify(group.build(group.list))).interactions;
  });
  afterAll(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });
  const verify = async (...documents: Json[]): Promise<PactReport> =>
    verifyPacts(
      await readPacts(
        documents.map((document) => pactFile(document, folder)),
        {},
      ),
      {
        sandboxUrl: sandbox.url,
        operations: serviceOperations,
        freshKey(mode) {
          const fresh = `svc_${mode}_verified_${++keys}`;
          used.push(fresh);
          return fresh;
        },
      },
    );
  return {
    /** Keys of the accounts that interactions ran on, in order. */
    used,
    account: (fresh: string) => sandbox.account({ key: fresh }),
    verify,
    together(one: Json): () => InteractionResult {
      const group = "contents" in one ? groups.messages : groups.interactions;
      const at = group.list.push(one) - 1;
      return () => group.results[at] as InteractionResult;
    },
    async verifyOne(...interaction: Parameters<typeof http>): Promise<InteractionResult> {
      const { interactions } = await verify(pact([http(...interaction)]));
      return interactions[0] as InteractionResult;
    },
  };
}

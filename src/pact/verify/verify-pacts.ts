/** Verifies pacts against a running sandbox: every interaction on an account of its own, its states set up for real. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VerifierOptions } from "@pact-foundation/pact-core";
import type { AnyOperation } from "../../contract/operation.js";
import { Gateway, type GatewayOptions, messagePath, statePath } from "./gateway.js";
import { type InteractionResult, type Source, sayState, toResults } from "./interaction-results.js";
import type { PactFile, PactInteraction } from "./pact-file.js";
import { CoreFailure, type CoreResult, runCore } from "./run-verifier.js";

export interface PactReport {
  passed: boolean;
  interactions: InteractionResult[];
  /** What is worth knowing and no failure. */
  warnings: string[];
  /** What failed beside the interactions. */
  failures: string[];
}

export interface VerifyOptions extends Pick<GatewayOptions, "sandboxUrl" | "freshKey"> {
  /** The service's. */
  operations: readonly AnyOperation[];
}

/** What the verifier asks a broker for, in its own words. */
export type BrokerOptions = Pick<VerifierOptions, "provider" | "pactBrokerUrl"> & Partial<VerifierOptions>;

/** Rejects with a CoreFailure when the verifier cannot do its work. No interaction at all is a failure. */
export async function verifyPacts(files: readonly PactFile[], options: VerifyOptions): Promise<PactReport> {
  const interactions: InteractionResult[] = [];
  for (const file of files) interactions.push(...(await verifyOne(file, options)));
  const empty = files.filter((file) => file.interactions.length === 0);
  return toReport(
    interactions,
    files.flatMap(overwritten),
    empty.map(({ source }) => `${source} has no interaction`),
  );
}

/** The verifier fetches what it verifies, and publishes the results if it is told to. */
export async function verifyBroker(broker: BrokerOptions, options: VerifyOptions): Promise<PactReport> {
  const results = await inGateway(broker, options, { source: broker.pactBrokerUrl ?? "", consumer: null });
  return toReport(results.interactions, results.notices, results.unpublished);
}

const toReport = (interactions: InteractionResult[], warnings: string[], failures: string[]): PactReport => ({
  passed:
    interactions.length > 0 &&
    failures.length === 0 &&
    interactions.every(({ result }) => result !== "failed"),
  interactions,
  warnings,
  failures,
});

async function verifyOne(file: PactFile, options: VerifyOptions): Promise<InteractionResult[]> {
  if (file.interactions.length === 0) return [];
  const folder = await mkdtemp(join(tmpdir(), "standin-pact-"));
  try {
    const path = join(folder, "pact.json");
    await writeFile(path, file.text);
    const ask = { provider: file.provider, pactUrls: [path] };
    const { interactions } = await inGateway(ask, options, file, file.interactions);
    const [expected, got] = [file.interactions.length, interactions.length];
    if (got === expected) return interactions;
    throw new CoreFailure(`of the ${expected} interactions of ${file.source} Pact's verifier took ${got}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The verifier takes the interactions in the order of the file, and so come the visits. */
async function inGateway(
  ask: Partial<VerifierOptions>,
  { sandboxUrl, freshKey, operations }: VerifyOptions,
  source: Source,
  interactions: readonly PactInteraction[] = [],
): Promise<{ interactions: InteractionResult[]; notices: string[]; unpublished: string[] }> {
  const gateway = new Gateway({ sandboxUrl, freshKey, interactions });
  await gateway.open();
  try {
    const { result, output } = await runCore({ ...ask, ...meeting(gateway.url) });
    checkWhole(result);
    return {
      interactions: toResults(source, result, gateway.visits, operations),
      notices: noticesOf(result),
      unpublished: unpublishedIn(output),
    };
  } finally {
    await gateway.close();
  }
}

/** A pact that could not be fetched is no interaction that failed, and must not be passed over. */
function checkWhole({ result, errors, interactionResults, output }: CoreResult): void {
  const lost = errors.find(({ interaction }) => interaction.startsWith("Failed to load pact"));
  if (lost?.mismatch.type === "error") throw new CoreFailure(lost.mismatch.message);
  if (!result && interactionResults.every((one) => one.result === "OK"))
    throw new CoreFailure(`Pact's verifier failed: ${output.join("").trim()}`);
}

const meeting = (url: string): VerifierOptions => ({
  providerBaseUrl: url,
  providerStatesSetupUrl: `${url}${statePath}`,
  providerStatesSetupBody: true,
  providerStatesSetupTeardown: true,
  transports: [{ protocol: "message", port: Number(new URL(url).port), scheme: "http", path: messagePath }],
  failIfNoPactsFound: true,
  logLevel: "error",
});

const noticesOf = ({ notices }: CoreResult): string[] => notices.flatMap(({ text }) => text ?? []);

/** A publication that failed is only printed. */
function unpublishedIn(output: string): string[] {
  const why = /Publishing of verification results failed with an error: (.+)/.exec(output)?.[1];
  return why === undefined ? [] : [`the broker was not told the results: ${why.trim()}`];
}

/** Two of the same description and states are one to many tools: the later one takes the other's place, silently. */
function overwritten({ source, interactions }: PactFile): string[] {
  const seen = new Set<string>();
  return interactions.flatMap(({ description, states }) => {
    const name = [description, ...states.map(sayState)].join(", given ");
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [`${source}: ${JSON.stringify(name)} is there twice; give each description and state once`];
  });
}

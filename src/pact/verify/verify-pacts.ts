/** Verifies pacts against a running sandbox: each interaction gets a fresh account with its provider states set up. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VerifierOptions } from "@pact-foundation/pact-core";
import { isObject } from "../../contract/json.js";
import { Gateway, type GatewayOptions, messagePath, statePath } from "./gateway.js";
import {
  applicableNotices,
  formatState,
  type InteractionResult,
  type PactSource,
  toInteractionResults,
} from "./interaction-results.js";
import { fetchText, type PactFile, type PactInteraction, parsePact } from "./pact-file.js";
import {
  type BrokerOptions,
  type Notice,
  runVerifier,
  VerifierFailure,
  type VerifierResult,
} from "./run-verifier.js";

export interface PactReport {
  passed: boolean;
  interactions: InteractionResult[];
  /** Problems that do not fail the verification. */
  warnings: string[];
  /** Failures that belong to no interaction. */
  failures: string[];
  /** Pacts that had nothing to verify. */
  untried: string[];
}

export type VerifyOptions = Pick<GatewayOptions, "sandboxUrl" | "freshKey" | "operations">;

/** Verifies pact files. Rejects with a VerifierFailure if Pact's verifier fails. The report does not pass if a pact has no interactions. */
export async function verifyPacts(files: readonly PactFile[], options: VerifyOptions): Promise<PactReport> {
  const interactions: InteractionResult[] = [];
  for (const file of files) interactions.push(...(await verifyFile(file, options)));
  const empty = files.filter((file) => file.interactions.length === 0);
  return toReport({
    interactions,
    warnings: files.flatMap(duplicatesIn),
    untried: empty.map(({ source }) => `${source} has no interaction`),
  });
}

/** Verifies pacts that Pact's verifier fetches from a broker, and publishes the results if the options ask for that. */
export async function verifyBroker(broker: BrokerOptions, options: VerifyOptions): Promise<PactReport> {
  const pacts = await fetchPacts(broker);
  if (pacts?.length === 0)
    return toReport({ interactions: [], untried: [`the broker has no pact for ${broker.provider}`] });
  const interactions = pacts?.flatMap((pact) => pact.interactions) ?? [];
  const source = { source: broker.pactBrokerUrl ?? "", consumer: null, interactions };
  const { results, result, publishErrors } = await verifyThroughGateway(broker, options, source);
  const isPublished = broker.publishVerificationResult === true && publishErrors.length === 0;
  const notices = pacts?.map((pact) => pact.notices);
  const warnings = notices
    ? applicableNotices(result, notices, isPublished)
    : ["the broker's pacts could not be read, so its notices are not shown, and null matches any pattern"];
  const wronglyPublished = isPublished
    ? results.flatMap(({ result: ours, description }, at) =>
        ours === "failed" && result.interactionResults[at]?.result === "OK" ? [description] : [],
      )
    : [];
  if (wronglyPublished.length > 0)
    warnings.push(
      `the broker was told that ${wronglyPublished.map((name) => JSON.stringify(name)).join(" and ")} passed, because Pact's verifier lets null match any pattern`,
    );
  return toReport({ interactions: results, warnings, failures: publishErrors });
}

const toReport = ({
  interactions,
  warnings = [],
  failures = [],
  untried = [],
}: Partial<PactReport> & Pick<PactReport, "interactions">): PactReport => ({
  passed:
    interactions.length > 0 &&
    failures.length === 0 &&
    untried.length === 0 &&
    interactions.every(({ result }) => result !== "failed"),
  interactions,
  warnings,
  failures,
  untried,
});

/** Returns whether something was verified and found wrong, and not only left untried. */
export const hasFailed = ({ interactions, failures }: PactReport): boolean =>
  failures.length > 0 || interactions.some(({ result }) => result === "failed");

async function verifyFile(file: PactFile, options: VerifyOptions): Promise<InteractionResult[]> {
  if (file.interactions.length === 0) return [];
  const folder = await mkdtemp(join(tmpdir(), "standin-pact-"));
  try {
    const path = join(folder, "pact.json");
    await writeFile(path, file.text);
    const selection = { provider: file.provider, pactUrls: [path] };
    const { results } = await verifyThroughGateway(selection, options, file, file.interactions);
    const [expected, verified] = [file.interactions.length, results.length];
    if (verified === expected) return results;
    throw new VerifierFailure(
      `Pact's verifier took ${verified} of the ${expected} interactions of ${file.source}`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Relies on the verifier taking the interactions in the order of the file. */
async function verifyThroughGateway(
  selection: Partial<VerifierOptions>,
  options: VerifyOptions,
  source: PactSource,
  interactions: readonly PactInteraction[] = [],
): Promise<{ results: InteractionResult[]; result: VerifierResult; publishErrors: string[] }> {
  const gateway = new Gateway({ ...options, interactions });
  await gateway.open();
  try {
    const { result, output } = await runVerifier({ ...selection, ...verifierOptions(gateway.url) });
    checkComplete(result);
    return {
      results: toInteractionResults(source, result, gateway.runs, options.operations),
      result,
      publishErrors: publishErrorsIn(output),
    };
  } finally {
    await gateway.close();
  }
}

/** Throws a VerifierFailure if a pact could not be loaded, which is not a failed interaction and must not go unnoticed. */
function checkComplete({ result, errors, interactionResults, output }: VerifierResult): void {
  const loading = errors.find(({ interaction }) => interaction.startsWith("Failed to load pact"));
  if (loading?.mismatch.type === "error") throw new VerifierFailure(loading.mismatch.message);
  if (!result && interactionResults.every((interaction) => interaction.result === "OK"))
    throw new VerifierFailure(`Pact's verifier failed: ${output.join("").trim()}`);
}

const verifierOptions = (url: string): VerifierOptions => ({
  providerBaseUrl: url,
  providerStatesSetupUrl: `${url}${statePath}`,
  providerStatesSetupBody: true,
  providerStatesSetupTeardown: true,
  transports: [{ protocol: "message", port: Number(new URL(url).port), scheme: "http", path: messagePath }],
  failIfNoPactsFound: true,
  logLevel: "error",
});

/** The verifier only prints that publishing failed. */
function publishErrorsIn(output: string): string[] {
  const reason = /Publishing of verification results failed with an error: (.+)/.exec(output)?.[1];
  return reason === undefined ? [] : [`publishing the results to the broker failed: ${reason.trim()}`];
}

/** Many tools identify an interaction by its description and states, and silently keep only the last of that name. */
function duplicatesIn({ source, interactions }: PactFile): string[] {
  const names = interactions.map(({ description, states }) =>
    [description, ...states.map(formatState)].join(", given "),
  );
  const rule = "descriptions must be unique among interactions with the same states";
  return names
    .filter((name, index) => names.indexOf(name) < index)
    .map((name) => `${source}: ${JSON.stringify(name)} occurs twice; ${rule}`);
}

interface BrokerPact {
  notices: readonly Notice[];
  interactions: readonly PactInteraction[];
}

interface PactsForVerification {
  _embedded?: { pacts?: PactLink[] };
}

interface PactLink {
  verificationProperties?: { notices?: Notice[] };
  _links?: { self?: { href?: string } };
}

interface Index {
  _links?: Record<string, { href?: string } | undefined>;
}

function authorizationOf({
  pactBrokerToken: token,
  pactBrokerUsername: username,
  pactBrokerPassword: password,
}: BrokerOptions): Record<string, string> {
  if (token !== undefined) return { Authorization: `Bearer ${token}` };
  if (username === undefined) return {};
  return { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}

/** Requests the pacts as the verifier does. */
const requestOf = (broker: BrokerOptions) => ({
  consumerVersionSelectors: broker.consumerVersionSelectors ?? [],
  includePendingStatus: broker.enablePending ?? false,
  includeWipPactsSince: broker.includeWipPactsSince,
  providerVersionBranch: broker.providerVersionBranch,
});

/**
 * Fetches the pacts of a broker with its notices about each. Pact's verifier fetches them too, but returns the notices of
 * the last pact only, prints the wrong ones for results that are not published, and keeps the interactions to itself.
 * Resolves to the pacts in the verifier's order, or to null if the broker does not give them.
 */
async function fetchPacts(broker: BrokerOptions): Promise<BrokerPact[] | null> {
  const headers = { Accept: "application/hal+json", ...authorizationOf(broker) };
  try {
    const index: Index | null = JSON.parse(await fetchText(String(broker.pactBrokerUrl), { headers }));
    const href = index?._links?.["pb:provider-pacts-for-verification"]?.href;
    if (href === undefined) return null;
    const url = href.replace("{provider}", encodeURIComponent(broker.provider ?? ""));
    const body = JSON.stringify(requestOf(broker));
    const asking = { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body };
    const found: unknown = JSON.parse(await fetchText(url, asking));
    if (!isObject(found)) return null;
    const { pacts = [] } = (found as PactsForVerification)._embedded ?? {};
    return await Promise.all(
      pacts.map(async ({ verificationProperties, _links }) => {
        const source = String(_links?.self?.href);
        const { interactions } = parsePact(source, await fetchText(source, { headers }));
        return { notices: verificationProperties?.notices ?? [], interactions };
      }),
    );
  } catch {
    // The verifier reports why the broker cannot be read.
    return null;
  }
}

/** Options of `standin verify` for pact brokers. */
import { InvalidArgumentError } from "commander";
import * as Type from "typebox";
import { isObject } from "../../contract/json.js";
import { optionProblems } from "../../contract/options.js";
import type { BrokerOptions } from "../../pact/verify/run-verifier.js";
import { fromIso } from "../../time/time.js";
import { UsageError } from "../errors.js";
import { type FlagsOf, flagTable } from "../flags.js";

type Selector = NonNullable<BrokerOptions["consumerVersionSelectors"]>[number];

/** The fields that Pact's verifier sends; it silently drops all others. */
const SelectorSchema = Type.Object(
  {
    mainBranch: Type.Optional(Type.Boolean()),
    matchingBranch: Type.Optional(Type.Boolean()),
    branch: Type.Optional(Type.String()),
    fallbackBranch: Type.Optional(Type.String()),
    deployedOrReleased: Type.Optional(Type.Boolean()),
    deployed: Type.Optional(Type.Boolean()),
    released: Type.Optional(Type.Boolean()),
    environment: Type.Optional(Type.String()),
    tag: Type.Optional(Type.String()),
    fallbackTag: Type.Optional(Type.String()),
    latest: Type.Optional(Type.Boolean()),
    consumer: Type.Optional(Type.String()),
  } satisfies Record<keyof Selector | "fallbackBranch", Type.TSchema>,
  { additionalProperties: false },
);

/** Collects selectors. A value is a selector or an array of selectors, as JSON. */
function collectSelectors(text: string, previous: readonly Selector[] = []): Selector[] {
  try {
    const given = [JSON.parse(text)].flat();
    if (given.every(isObject)) return [...previous, ...(given as Selector[])];
  } catch {
    // Reported below.
  }
  throw new InvalidArgumentError('A selector is JSON such as {"mainBranch": true}.');
}

export const brokerOptions = flagTable("Pact broker:", [
  [
    "--broker-url <url>",
    "fetch the pacts from this broker; PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD log in",
  ],
  ["--token <token>", "bearer token for the broker and for URLs (default PACT_BROKER_TOKEN)"],
  ["--broker-token <token>", "name that other tools use for the token", { isHidden: true }],
  ["--provider <name>", "name of the provider; pacts with other providers are skipped"],
  [
    "--consumer-version-selectors <json>",
    "consumer versions whose pacts to verify; repeatable",
    { parse: collectSelectors },
  ],
  ["--enable-pending", "do not fail for pacts that the provider branch has never passed"],
  ["--include-wip-pacts-since <date>", "also verify work-in-progress pacts since this date"],
  ["--provider-branch <branch>", "branch of the provider; needed for pending and work-in-progress pacts"],
  ["--publish", "publish the results to the broker"],
  ["--provider-version <version>", "version of the provider, for --publish"],
]);

export type BrokerFlags = FlagsOf<typeof brokerOptions>;

export const tokenOf = ({ token, brokerToken }: BrokerFlags): string | undefined =>
  token ?? brokerToken ?? process.env.PACT_BROKER_TOKEN;

/** Flags that have no effect without a broker. */
const brokerFlags = {
  consumerVersionSelectors: "--consumer-version-selectors",
  enablePending: "--enable-pending",
  includeWipPactsSince: "--include-wip-pacts-since",
  providerBranch: "--provider-branch",
  publish: "--publish",
  providerVersion: "--provider-version",
} as const;

/** Rejects with a UsageError for unknown fields of a selector, an invalid date, or a missing branch. */
async function checkSelection(flags: BrokerFlags): Promise<void> {
  const { consumerVersionSelectors = [], enablePending, includeWipPactsSince, providerBranch } = flags;
  for (const selector of consumerVersionSelectors) {
    const problems = await optionProblems(SelectorSchema, selector);
    if (problems.length > 0) {
      const text = JSON.stringify(selector);
      throw new UsageError(`--consumer-version-selectors ${text} is not valid: ${problems.join(" ")}`);
    }
  }
  if (includeWipPactsSince !== undefined && fromIso(includeWipPactsSince) === null)
    throw new UsageError(
      `--include-wip-pacts-since must be a date such as 2026-01-31; got ${includeWipPactsSince}`,
    );
  if (providerBranch !== undefined) return;
  if (enablePending)
    throw new UsageError("--enable-pending requires --provider-branch: a pact is pending for a branch");
  if (includeWipPactsSince !== undefined)
    throw new UsageError(
      "--include-wip-pacts-since requires --provider-branch: a pact is work in progress for a branch",
    );
  if (consumerVersionSelectors.some(({ matchingBranch }) => matchingBranch))
    throw new UsageError("the selector matchingBranch requires --provider-branch, the branch to match");
}

/**
 * Returns the options of the verifier, or null without --broker-url. Rejects with a UsageError if they are not valid or do
 * not fit together.
 */
export async function brokerOptionsOf(flags: BrokerFlags): Promise<BrokerOptions | null> {
  const { brokerUrl, provider, publish, providerVersion } = flags;
  if (brokerUrl === undefined) {
    for (const [name, flag] of Object.entries(brokerFlags))
      if (flags[name as keyof BrokerFlags] !== undefined)
        throw new UsageError(`${flag} requires --broker-url`);
    return null;
  }
  if (!/^https?:\/\//.test(brokerUrl))
    throw new UsageError(`--broker-url must be an http or https URL; got ${brokerUrl}`);
  if (provider === undefined) throw new UsageError("--broker-url requires --provider, the name in the pacts");
  if (publish && providerVersion === undefined) throw new UsageError("--publish requires --provider-version");
  await checkSelection(flags);
  const { enablePending, includeWipPactsSince, providerBranch } = flags;
  return {
    pactBrokerUrl: brokerUrl,
    provider,
    ...credentials(flags),
    consumerVersionSelectors: flags.consumerVersionSelectors ?? [],
    ...(enablePending ? { enablePending } : {}),
    ...(includeWipPactsSince === undefined ? {} : { includeWipPactsSince }),
    ...(providerBranch === undefined ? {} : { providerVersionBranch: providerBranch }),
    ...(providerVersion === undefined ? {} : { providerVersion }),
    ...(publish ? { publishVerificationResult: true } : {}),
  };
}

function credentials(flags: BrokerFlags): Partial<BrokerOptions> {
  const token = tokenOf(flags);
  if (token !== undefined) return { pactBrokerToken: token };
  const { PACT_BROKER_USERNAME: username, PACT_BROKER_PASSWORD: password } = process.env;
  return username && password ? { pactBrokerUsername: username, pactBrokerPassword: password } : {};
}

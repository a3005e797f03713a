/** Options of `standin verify` for pact brokers. */
import { type Command, InvalidArgumentError } from "commander";
import type { BrokerOptions } from "../../pact/verify/verify-pacts.js";
import { UsageError } from "../errors.js";

type Selector = NonNullable<BrokerOptions["consumerVersionSelectors"]>[number];

export interface BrokerFlags {
  brokerUrl?: string;
  token?: string;
  provider?: string;
  consumerVersionSelectors?: Selector[];
  enablePending?: true;
  includeWipPactsSince?: string;
  providerBranch?: string;
  publish?: true;
  providerVersion?: string;
}

/** Collects selectors. A value is one selector or an array of them, as JSON. */
function collectSelectors(text: string, previous: readonly Selector[] = []): Selector[] {
  try {
    const given = [JSON.parse(text)].flat();
    if (given.every((one) => one !== null && typeof one === "object")) return [...previous, ...given];
  } catch {
    // Reported below.
  }
  throw new InvalidArgumentError('A selector is JSON such as {"mainBranch": true}.');
}

export const withBroker = (command: Command): Command =>
  command
    .optionsGroup("Pact broker:")
    .option(
      "--broker-url <url>",
      "fetch the pacts from this broker; PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD log in",
    )
    .option("--token <token>", "bearer token for the broker and for URLs (default PACT_BROKER_TOKEN)")
    .option("--provider <name>", "name of the provider in the pacts")
    .option(
      "--consumer-version-selectors <json>",
      "consumer versions whose pacts to verify; repeatable",
      collectSelectors,
    )
    .option("--enable-pending", "do not fail for pacts that no version of the provider has passed yet")
    .option("--include-wip-pacts-since <date>", "also verify work-in-progress pacts since this date")
    .option("--provider-branch <branch>", "branch of the provider")
    .option("--publish", "publish the results to the broker")
    .option("--provider-version <version>", "version of the provider, for --publish");

export const tokenOf = ({ token }: BrokerFlags): string | undefined => token ?? process.env.PACT_BROKER_TOKEN;

const brokerFlags = {
  provider: "--provider",
  consumerVersionSelectors: "--consumer-version-selectors",
  enablePending: "--enable-pending",
  includeWipPactsSince: "--include-wip-pacts-since",
  providerBranch: "--provider-branch",
  publish: "--publish",
  providerVersion: "--provider-version",
} as const;

/** Returns the options of the verifier, or null without --broker-url. Throws a UsageError if they do not fit together. */
export function brokerOptionsOf(flags: BrokerFlags): BrokerOptions | null {
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

/** Options of `standin verify` that go to Pact's verifier as they are: which pacts a broker gives, and what it is told. */
import { type Command, InvalidArgumentError } from "commander";
import type { BrokerOptions } from "../../pact/verify/verify-pacts.js";
import { UsageError } from "../config.js";

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

/** One selector or a list of them, as JSON; what was given before counts too. */
function selectorsIn(text: string, before: Selector[] | undefined): Selector[] {
  try {
    const given = [JSON.parse(text)].flat();
    if (given.every((one) => one !== null && typeof one === "object")) return [...(before ?? []), ...given];
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError('It is JSON, such as {"mainBranch": true}.');
}

export const withBroker = (command: Command): Command =>
  command
    .optionsGroup("Pacts of a broker:")
    .option("--broker-url <url>", "take the pacts from this broker (also PACT_BROKER_USERNAME and _PASSWORD)")
    .option("--token <token>", "bearer token for the broker, and for URLs (default PACT_BROKER_TOKEN)")
    .option("--provider <name>", "whose pacts: the provider's name in them")
    .option("--consumer-version-selectors <json>", "which versions of the consumers; repeatable", selectorsIn)
    .option("--enable-pending", "what no version of the provider has met may fail")
    .option("--include-wip-pacts-since <date>", "take pacts in progress too, from this day on")
    .option("--provider-branch <branch>", "branch of the provider")
    .option("--publish", "tell the broker the results")
    .option("--provider-version <version>", "of which version of the provider they are");

export const tokenOf = ({ token }: BrokerFlags): string | undefined => token ?? process.env.PACT_BROKER_TOKEN;

/** What nobody but a broker understands. */
const brokersAlone = {
  provider: "--provider",
  consumerVersionSelectors: "--consumer-version-selectors",
  enablePending: "--enable-pending",
  includeWipPactsSince: "--include-wip-pacts-since",
  providerBranch: "--provider-branch",
  publish: "--publish",
  providerVersion: "--provider-version",
} as const;

/** Null: no broker is named. */
export function toBroker(flags: BrokerFlags): BrokerOptions | null {
  const { brokerUrl, provider, publish, providerVersion } = flags;
  if (brokerUrl === undefined) {
    for (const [name, flag] of Object.entries(brokersAlone))
      if (flags[name as keyof BrokerFlags] !== undefined) throw new UsageError(`${flag} needs --broker-url`);
    return null;
  }
  if (!/^https?:\/\//.test(brokerUrl))
    throw new UsageError(`--broker-url must be an http or https URL; got ${brokerUrl}`);
  if (provider === undefined) throw new UsageError("--broker-url needs --provider, the name in the pacts");
  if (publish && providerVersion === undefined) throw new UsageError("--publish needs --provider-version");
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

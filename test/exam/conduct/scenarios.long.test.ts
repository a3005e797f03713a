/** The rules of conduct have nothing to say about our own scenarios, apart from those that show what is wrong. */
import { expect, test } from "vitest";
import { readBundledScenarios } from "../../../src/scenarios/bundled-scenarios.js";
import { shareOf } from "../../support/repetitions.js";
import { useListeningSandbox } from "../../support/sandbox.js";

const sandbox = useListeningSandbox();

const scenarios = await readBundledScenarios();

/** Scenarios that show what the service refuses, by doing it. */
const deliberate: Readonly<Record<string, string>> = {
  "bvn-provider-down": "no-backoff verifyBvn",
  faults: "ignored-retry-after verifyNin",
  "payment-held": "held-as-paid createRefund",
  "phone-lockout": "stale-code checkPhoneVerification",
};

test.each(shareOf(scenarios, 2, 0).map(({ name, scenario }) => [name, scenario] as const))(
  "%s",
  async (name, scenario) => {
    const account = sandbox.account();
    await account.scenario.run(scenario as never);
    const { findings } = await account.conduct();
    expect(findings.map(({ rule, about }) => `${rule} ${about}`)).toEqual(
      name in deliberate ? [deliberate[name]] : [],
    );
  },
);

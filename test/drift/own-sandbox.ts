/** Our own side of a comparison: a sandbox of the test, and the scenarios that are played. */
import type { Assumptions } from "../../src/contract/assumptions.js";
import { controlOperations } from "../../src/control/index.js";
import { planScenario } from "../../src/drift/plan.js";
import type { OwnSandbox } from "../../src/drift/run-drift.js";
import { ServiceClient } from "../../src/drift/service-client.js";
import { startSandbox } from "../../src/index.js";
import { bundledScenarioNames, ScenarioCatalogue } from "../../src/scenarios/bundled-scenarios.js";
import { serviceOperations } from "../../src/service/index.js";

export async function startOurs(assumptions: Assumptions): Promise<OwnSandbox> {
  const sandbox = await startSandbox({ assumptions: { ...assumptions } });
  const account = sandbox.account();
  const sleep = async () => {};
  return {
    client: new ServiceClient({ baseUrl: sandbox.url, key: account.key, paceMs: 0, maxCalls: 1_000, sleep }),
    async readCode({ to }) {
      const [newest] = await account.inbox.list({ to });
      return newest?.codes[0] as string;
    },
    pass: async (ms) => void (await account.advance(`${ms}ms`)),
    contract: (await (await fetch(`${sandbox.url}/openapi.json`)).json()) as object,
    close: () => sandbox.close(),
  };
}

const catalogue = new ScenarioCatalogue(null, [...serviceOperations, ...controlOperations]);
const means = { live: false, waitMs: 600_000, readsCodes: true, hasSessionToken: false };

export const planAll = async () =>
  Promise.all(
    (await bundledScenarioNames()).map(async (name) => planScenario(name, await catalogue.read(name), means)),
  );

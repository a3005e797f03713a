/** Our own side of a comparison: a sandbox of the test, and the scenarios that are played. */
import { singleCalls } from "../../src/drift/plan-drift.js";
import { planScenario } from "../../src/drift/plan-scenario.js";
import type { OwnSandbox } from "../../src/drift/run-drift.js";
import { ServiceClient } from "../../src/drift/service-client.js";
import { startSandbox } from "../../src/index.js";
import { readBundledScenarios } from "../../src/scenarios/bundled-scenarios.js";
import type { Assumptions } from "../../src/service/assumptions.js";

/** Contracts by the assumptions that they describe. Making one takes longer than most scenarios. */
const contracts = new Map<string, Promise<object>>();

function contractOf(url: string, assumptions: Assumptions): Promise<object> {
  const name = JSON.stringify(assumptions);
  const contract =
    contracts.get(name) ??
    fetch(`${url}/openapi.json`).then((response) => response.json() as Promise<object>);
  contracts.set(name, contract);
  return contract;
}

export async function startOurs(assumptions: Assumptions): Promise<OwnSandbox> {
  const sandbox = await startSandbox({ assumptions: { ...assumptions } });
  const account = sandbox.account();
  const sleep = async () => {};
  return {
    service: new ServiceClient({ baseUrl: sandbox.url, key: account.key, paceMs: 0, maxCalls: 5_000, sleep }),
    async readCode({ to }) {
      const [newest] = await account.inbox.list({ to });
      return newest?.codes[0] as string;
    },
    pass: async (ms) => void (await account.advance(`${ms}ms`)),
    give: async (given) => void (await account.control("POST", "/scenarios", { name: "given", given })),
    contract: await contractOf(sandbox.url, assumptions),
    close: () => sandbox.close(),
  };
}

const means = { live: false, waitMs: 600_000, readsCodes: true, hasSessionToken: false };

const plan = async () =>
  [...(await readBundledScenarios()), ...singleCalls()].map(({ name, scenario }) =>
    planScenario(name, scenario, means),
  );
let planned: ReturnType<typeof plan> | null = null;

/** Plans the built-in scenarios, which are read once. */
export const planAll = (): ReturnType<typeof plan> => (planned ??= plan());

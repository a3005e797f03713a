/** Our own side of a comparison: a sandbox of the test, and the scenarios that are played. */
import { type DriftPlan, singleCalls } from "../../src/drift/plan-drift.js";
import { planScenario } from "../../src/drift/plan-scenario.js";
import { type DriftMeans, type DriftReport, type OwnSandbox, runDrift } from "../../src/drift/run-drift.js";
import { ServiceClient } from "../../src/drift/service-client.js";
import { type SandboxAccount, startSandbox } from "../../src/index.js";
import { readBundledScenarios } from "../../src/scenarios/bundled-scenarios.js";
import type { Assumptions } from "../../src/service/assumptions.js";
import { defaults, meansFor } from "./second-sandbox.js";

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

interface RunOptions extends Partial<DriftMeans> {
  /** Address of the service. Default: that of the account's sandbox. */
  baseUrl?: string | undefined;
}

/** Runs a plan against an account that plays the service. */
export async function runPlan(
  plan: DriftPlan,
  account: SandboxAccount,
  { baseUrl, ...more }: RunOptions = {},
): Promise<DriftReport> {
  const usual = await meansFor(account, baseUrl);
  const means = { ...usual, ...more };
  try {
    return await runDrift({ plan, inForce: defaults, means, prefix: means.reference(), at: 0, startOurs });
  } finally {
    await usual.receiver.close();
  }
}

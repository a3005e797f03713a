/** The timeline of scenarios/demo-day.yaml, which plays by itself while a person gives a demo. */
import { expect, test } from "vitest";
import { readSources } from "../../src/cli/scenario/sources.js";
import type { ScenarioState } from "../../src/client/account/types.js";
import { bundledScenarioNames } from "../../src/scenarios/bundled-scenarios.js";
import { useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();

const readDemoDay = async () => {
  const [source] = await readSources((await bundledScenarioNames()).filter((name) => name === "demo-day"));
  if (!source) throw new Error("there is no scenario demo-day");
  return source.scenario;
};

test("demo-day plays by itself: for nine minutes no minute is quiet, and only what its rules break goes wrong", async () => {
  const scenario = await readDemoDay();
  const account = sandbox.account();
  await account.scenario.load({ ...scenario, given: { ...scenario.given, clock: "2026-03-02T08:00:00Z" } });
  const { ran } = await account.advance("10m");
  const { loaded } = await account.control<{ loaded: ScenarioState }>("GET", "/scenarios");
  const once = loaded.timeline.filter((_, index) => scenario.timeline?.[index]?.after !== undefined);
  expect(once.filter((entry) => entry.ran !== 1)).toEqual([]);
  expect(loaded.timeline.filter(({ error }) => error !== null)).toMatchObject([
    { do: "verify_nin", error: expect.stringMatching(/^provider_unavailable/) },
  ]);
  const minutes = new Set(ran.filter(({ kind }) => kind === "timeline").map(({ at }) => at.slice(11, 16)));
  expect([...minutes].slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, minute) => `08:0${minute}`));

  const deliveries = await account.deliveries.list();
  const shop = deliveries.filter(({ url }) => url.includes("/receiver/"));
  expect(shop.filter(({ status }) => status !== "succeeded").map(({ event }) => event)).toEqual([
    "refund.processed",
  ]);
  await account.advance("24h");
  const retried = (await account.deliveries.list()).filter(
    ({ url, attempts }) => url.includes("/receiver/") && attempts.length > 1,
  );
  expect(retried).toMatchObject([{ event: "payment.settled", attempts: [{ status: 401 }, { status: 204 }] }]);
});

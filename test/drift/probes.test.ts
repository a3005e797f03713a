/** The probes on a service that has the defaults. test/drift/run.long.test.ts switches one assumption at a time. */
import { expect, test } from "vitest";
import { groups } from "../../src/drift/groups.js";
import { estimateProbes, probedIn, runProbes } from "../../src/drift/probes/run-probes.js";
import { sharedCalls } from "../../src/drift/side.js";
import {
  type Assumptions,
  assumptions,
  resolveAssumptions,
  type SwitchId,
} from "../../src/service/assumptions.js";
import { useListeningSandbox } from "../support/sandbox.js";
import { front, start } from "./deviating-service.js";
import { defaults, meansFor, payOutMoney } from "./second-sandbox.js";

const sandbox = useListeningSandbox();
const all = probedIn(groups);

async function judge(ids: readonly SwitchId[], inForce: Assumptions = defaults, baseUrl?: string) {
  const account = sandbox.account();
  await payOutMoney(account);
  const means = await meansFor(account, baseUrl);
  try {
    const results = await runProbes(ids, inForce, { ...means, once: sharedCalls() });
    return { results, calls: means.service.calls };
  } finally {
    await means.receiver.close();
  }
}

const switches = assumptions.flatMap(({ id, switch: choice }) => (choice ? [[id, choice] as const] : []));

test("every assumption that can be switched has a probe", () => {
  expect([...all].sort()).toEqual(switches.map(([id]) => id).sort());
});

test.each(all)("%s is confirmed alone, with no more calls than estimated", async (id) => {
  const { results, calls } = await judge([id]);
  expect(results).toMatchObject([{ assumption: id, verdict: "confirmed" }]);
  expect(calls).toBeLessThanOrEqual(estimateProbes([id], 600_000).calls);
});

test("a sandbox that has switched every assumption is contradicted in each, with the flag of the default", async () => {
  const others = switches.map(([id, { alternatives }]) => [id, Object.keys(alternatives)[0]]);
  const { results } = await judge(all, resolveAssumptions(Object.fromEntries(others)));
  const flags = Object.fromEntries(results.map(({ assumption, flag }) => [assumption, flag]));
  expect(flags).toEqual(
    Object.fromEntries(switches.map(([id, { default: value }]) => [id, `--assume ${id}=${value}`])),
  );
});

test("a service that has none of the values is neither, with no flag", async () => {
  const baseUrl = await front(sandbox.url, start, (reply) => {
    reply.status = reply.status === 201 ? 202 : reply.status;
  });
  const { results } = await judge(["http.created"], defaults, baseUrl);
  expect(results).toMatchObject([
    {
      verdict: "neither",
      observed: null,
      flag: null,
      evidence: ["POST /v1/phone/verify/start → 202"],
    },
  ]);
});

/** The mutation test of drift: a second sandbox plays the real service, with exactly one assumption switched. */
import { describe, expect, test } from "vitest";
import { assumptions, type SwitchId } from "../../src/contract/assumptions.js";
import { groups } from "../../src/drift/groups.js";
import { estimateProbes, probedIn, runProbes } from "../../src/drift/verdicts.js";
import { useListeningSandbox } from "../support/sandbox.js";
import { defaults, meansFor } from "./second-sandbox.js";

const all = probedIn(groups);

async function judge(sandbox: ReturnType<typeof useListeningSandbox>, ids: readonly SwitchId[] = all) {
  const means = await meansFor(sandbox.account());
  try {
    const results = await runProbes(ids, defaults, means);
    return { results, calls: means.service.calls };
  } finally {
    await means.receiver.close();
  }
}

const switches = assumptions.flatMap(({ id, switch: choice }) =>
  choice ? Object.keys(choice.alternatives).map((value) => [id as SwitchId, value] as const) : [],
);

test("every assumption that can be switched has a probe", () => {
  expect([...all].sort()).toEqual([...new Set(switches.map(([id]) => id))].sort());
});

describe.each(switches)("%s=%s", (id, value) => {
  const sandbox = useListeningSandbox({ assumptions: { [id]: value } });

  test("is the only contradiction, and comes with its flag", async () => {
    const { results } = await judge(sandbox);
    const found = results.filter(({ verdict }) => verdict !== "confirmed");
    expect(found).toMatchObject([
      { assumption: id, verdict: "contradicted", observed: value, flag: `--assume ${id}=${value}` },
    ]);
  });
});

describe("a service that agrees", () => {
  const sandbox = useListeningSandbox();

  test("confirms every assumption, with no more calls than estimated", async () => {
    const { results, calls } = await judge(sandbox);
    expect(results.map(({ assumption, verdict }) => [assumption, verdict])).toEqual(
      all.map((id) => [id, "confirmed"]),
    );
    expect(calls).toBeLessThanOrEqual(estimateProbes(all).calls);
  });

  test.each(all)("%s is judged alone as well, within its own estimate", async (id) => {
    const { results, calls } = await judge(sandbox, [id]);
    expect(results).toMatchObject([{ assumption: id, verdict: "confirmed" }]);
    expect(calls).toBeLessThanOrEqual(estimateProbes([id]).calls);
  });
});

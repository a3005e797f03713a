import { expect, test } from "vitest";
import { mainLine } from "../../service/channels/line.js";
import { useSandbox } from "../../support/sandbox.js";
import { useAlternative } from "./use-alternative.js";

const folding = useAlternative("identity.defaults", "folded");
const counting = useSandbox();

/** Returns the state of a question after each of these answers. */
async function outcomes(sandbox: typeof folding, expected: string, ...answers: string[]): Promise<unknown[]> {
  const line = await mainLine(sandbox.account());
  const id = await line.question({ expected });
  const seen = [];
  for (const answer of answers) {
    await line.hears(answer);
    const { status, attempts } = await line.result(id);
    seen.push([status, attempts]);
  }
  return seen;
}

test.each([
  ["Adé", "Ade"],
  ["Ade", "adé"],
  ["Ṣọlá Àkàndé", "sola akande"],
  ["Ngu\u0303gi\u0303", "ngugi"],
])("folded: %s is answered by %s, which by default is wrong", async (expected, answer) => {
  expect(await outcomes(folding, expected, answer)).toEqual([["verified", 1]]);
  expect(await outcomes(counting, expected, answer)).toEqual([["pending", 1]]);
});

test("folded: a different name is still wrong, and attempts are counted", async () => {
  expect(await outcomes(folding, "Adé", "Ada", "Ado", "Adè")).toEqual([
    ["pending", 1],
    ["pending", 2],
    ["verified", 3],
  ]);
});

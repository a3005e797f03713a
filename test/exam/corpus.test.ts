/** The corpus of clients: every seeded bug is found, and no repaired twin has a finding. */
import { expect, test } from "vitest";
import { shareOf } from "../support/repetitions.js";
import { bugs, clientFiles, clients, commandOf, examine } from "./corpus.js";

test("each client of the corpus says where its bug shows", () => {
  expect(clientFiles().sort()).toEqual(Object.keys(bugs).sort());
  expect(Object.keys(bugs)).toHaveLength(24);
});

const examined = shareOf(clients, 12, 0);

test.each(examined)("the bug of %s is found", async (client) => {
  const where = bugs[client] as string;
  const { code, card } = await examine(commandOf(client), ["--budget", "20m", "--only", where]);
  expect(card.findings.map(({ id }) => id.startsWith(where))).toContain(true);
  for (const { perturbation } of card.findings) expect(perturbation.length).toBeLessThanOrEqual(5);
  expect(code).toBe(1);
});

test.each(examined)("the repaired twin of %s has no finding", async (client) => {
  const { code, card } = await examine(commandOf(client, "repaired"), ["--budget", "20m"]);
  expect(card.findings).toEqual([]);
  expect(card.baseline.conduct).toEqual([]);
  expect([code, card.grade, card.complete]).toEqual([0, "A", true]);
});

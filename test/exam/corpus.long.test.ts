/** The corpus of clients: every seeded bug is found. */
import { expect, test } from "vitest";
import { shareOf } from "../support/repetitions.js";
import { bugs, clientFiles, commandOf, examine, skipWithoutLanguage } from "./corpus.js";

test("each client of the corpus says where its bug shows", () => {
  expect(clientFiles().sort()).toEqual(Object.keys(bugs).sort());
  expect(Object.keys(bugs)).toHaveLength(23);
});

test.for(shareOf(Object.keys(bugs), 12, 0))("the bug of %s is found", async (client, { skip }) => {
  skipWithoutLanguage(client, skip);
  const where = bugs[client] as string;
  const { code, card } = await examine(commandOf(client), ["--budget", "20m", "--only", where]);
  expect(card.findings.map(({ id }) => id.startsWith(where))).toContain(true);
  for (const { perturbation } of card.findings) expect(perturbation.length).toBeLessThanOrEqual(5);
  expect(code).toBe(1);
});

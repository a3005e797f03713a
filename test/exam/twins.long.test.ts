/** The repaired twins of the corpus: none has a finding. A file of its own, so that it runs beside the other half. */
import { expect, test } from "vitest";
import { shareOf } from "../support/repetitions.js";
import { bugs, commandOf, examine, skipWithoutLanguage } from "./corpus.js";

test.for(shareOf(Object.keys(bugs), 12, 0))(
  "the repaired twin of %s has no finding",
  async (client, { skip }) => {
    skipWithoutLanguage(client, skip);
    const { code, card } = await examine(commandOf(client, "repaired"), ["--budget", "20m"]);
    expect(card.findings).toEqual([]);
    expect(card.baseline.conduct).toEqual([]);
    expect([code, card.grade, card.complete]).toEqual([0, "A", true]);
  },
);

/** Shops on published clients: what their defaults do is a finding where it does harm, and nowhere else. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { shareOf } from "../support/repetitions.js";
import { examine } from "./corpus.js";

const shop = join(import.meta.dirname, "apps/published.mjs");
const tried = [
  "absorbed/listPayments",
  "survived/createPayout/reply-lost",
  "survived/createPayout/hang",
  "survived/listPayments/down",
].join();

const clients: readonly [name: string, findings: readonly string[]][] = [
  ["undici", ["survived/createPayout/hang"]],
  ["ky", []],
  ["axios-retry", ["survived/createPayout/hang", "survived/createPayout/reply-lost"]],
  [
    "p-retry",
    ["survived/createPayout/hang", "survived/createPayout/reply-lost", "survived/listPayments/down"],
  ],
];

test.for(shareOf(clients, 4, 1))(
  "the defaults of %s have these findings alone: %j",
  async ([name, findings]) => {
    const { card } = await examine(["node", shop, name], ["--budget", "20m", "--only", tried]);
    expect(card.findings.map(({ id }) => id).sort()).toEqual(findings);
    expect(card.complete).toBe(true);
  },
);

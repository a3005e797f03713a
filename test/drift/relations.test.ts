/** Relations between the replies of a run, which both sides must have. */
import { expect, test } from "vitest";
import type { AnyOperation } from "../../src/contract/operation.js";
import { compareRelations } from "../../src/drift/compare/compare-replies.js";
import type { PlayedCall } from "../../src/drift/play.js";
import { createVirtualAccount, listVirtualAccounts } from "../../src/service/business/accounts.js";

const exchange = (operation: AnyOperation, body: object): PlayedCall => ({
  operation,
  request: {},
  reply: { operation, status: 200, mediaType: "application/json", body },
});

/** A run that creates a virtual account with the id `created` and then lists `listed`. */
const run = (created: string, listed = created): PlayedCall[] => [
  exchange(createVirtualAccount, { id: created }),
  exchange(listVirtualAccounts, { accounts: [{ id: "va_0" }, { id: listed }] }),
];

test.each(["va_k3m9x2q7", "va_abcdefgh"])(
  "a list that contains the created record %s does not deviate",
  (id) => {
    expect(compareRelations(run("va_p4r8t6w2"), run(id)).get(1)).toEqual([]);
  },
);

test.each(["va_p4r8t6w2", "va_qrstuvwx"])(
  "a list that contains another record than the created %s deviates",
  (id) => {
    expect(compareRelations(run(id), run("va_k3m9x2q7", "va_z1z1z1z1")).get(1)).toEqual([
      { at: "accounts[].id", problem: "does not contain id of createVirtualAccount" },
    ]);
  },
);

test("a record from before a run whose reference equals a text of the run is not expected in the list of the service", () => {
  const withText = (listed: string): PlayedCall[] => [
    {
      ...exchange(createVirtualAccount, { id: "va_p4r8t6w2" }),
      request: { body: { customer_name: "Chidi-7" } },
    },
    exchange(listVirtualAccounts, { accounts: [{ id: "va_p4r8t6w2" }, { reference: listed }] }),
  ];
  expect(compareRelations(withText("Chidi-7"), withText("va-9q8w7e6r5t")).get(1)).toEqual([]);
});

import { expect, test } from "vitest";
import { testCards } from "../../../src/service/business/charges.js";
import { filesBelow, freshFolder, startOn } from "../../support/folder.js";
import type { Program } from "../../support/program.js";
import { customer, openShop, type Shop } from "./shop.js";

const bvn = "22198765431";
const nin = "70198765432";

/** Returns everything that the control API shows of a shop's account. */
async function shown({ account }: Shop, ids: readonly string[]): Promise<Map<string, string>> {
  const things = {
    snapshot: await account.snapshot(),
    events: await account.events.list(),
    requests: await account.requests.list(),
    records: await Promise.all(ids.map((id) => account.records.get(id))),
  };
  return new Map(Object.entries(things).map(([name, thing]) => [name, JSON.stringify(thing)]));
}

/** Expects that no place shows a secret, while the program runs and after it has stopped. */
async function expectNowhere(
  secrets: readonly string[],
  program: Program,
  folder: string,
  places: Map<string, string>,
) {
  const showing = () =>
    [...places, ...filesBelow(folder), ["stdout", program.stdout()], ["stderr", program.stderr()]]
      .filter(([, text]) => secrets.some((secret) => text?.includes(secret)))
      .map(([name]) => name);
  expect([...filesBelow(folder).keys()]).toContainEqual(expect.stringMatching(/journal\.ndjson$/));
  expect(showing()).toEqual([]);
  expect(await program.stop()).toBe(0);
  expect(showing()).toEqual([]);
}

test("a BVN or NIN given for an account number is used once and stored nowhere", async () => {
  const folder = freshFolder();
  const program = await startOn(folder);
  const shop = await openShop(program.account("svc_live_privacy"));
  const ids: string[] = [];
  for (const identity of [{ bvn }, { nin }, { bvn, nin }]) ids.push((await shop.createNumber(identity)).id);
  const refused = [
    { ...customer, bvn: `${bvn}0` },
    { ...customer, nin: `0${nin}` },
    { bvn, nin },
  ];
  for (const body of refused) expect((await shop.ask("POST", "/virtual-accounts", body)).status).toBe(400);
  const places = await shown(shop, ids);
  // The search works: it finds the customer's email address.
  expect(places.get("snapshot")).toContain(customer.customer_email);
  expect(places.get("requests")).toContain(customer.customer_email);
  await expectNowhere([bvn, nin], program, folder, places);
});

/** Numbers that look like real cards but were never issued. */
const realCards = ["5555555555554444", "378282246310005"];

test("a card's number is kept nowhere, only its last four digits", async () => {
  const folder = freshFolder();
  const program = await startOn(folder);
  const shop = await openShop(program.account("svc_test_cards"));
  const ids: string[] = [];
  for (const { number } of testCards) {
    const charge = await shop.charge(5_000);
    expect((await shop.atCheckout(charge, { card: number })).status).toBe(200);
    ids.push(charge.reference);
  }
  const open = await shop.charge(5_000);
  ids.push(open.reference);
  for (const card of realCards) {
    const spaced = card.replace(/(.{4})/g, "$1 ").trim();
    const misplaced = [{ card: Number(card) }, { card, second_step: "approve" }, { second_step: card }];
    for (const body of [{ card }, { card: spaced }, ...misplaced])
      expect((await shop.atCheckout(open, body)).status).toBe(400);
    await expect(shop.account.records.move(open.reference, "pay", { card })).rejects.toMatchObject({
      code: "validation_error",
    });
  }
  const places = await shown(shop, ids);
  expect(places.get("snapshot")).toContain('"last4":"5126"');
  await expectNowhere([...testCards.map(({ number }) => number), ...realCards], program, folder, places);
});

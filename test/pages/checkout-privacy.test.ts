import { expect, test } from "vitest";
import { testCards } from "../../src/service/business/charges.js";
import { show } from "../support/address-check.js";
import { filesBelow, freshFolder, startOn } from "../support/folder.js";
import { approve, card, openCheckout, send } from "./checkouts.js";

/** Numbers in the format of real cards. */
const real = ["5555555555554444", "378282246310005"];
const code = "739";

test("card numbers entered at the checkout are stored nowhere: not in the page, records, events, inbox, requests, files or output", async () => {
  const folder = freshFolder();
  const program = await startOn(folder);
  const account = program.account("svc_test_checkout_page");
  const pages: string[] = [];
  const references: string[] = [];
  for (const { number } of testCards) {
    const { url, reference, shop } = await openCheckout(account);
    references.push(reference);
    for (const entered of real) pages.push((await send(url, card(entered, "12 / 31", code))).html);
    await send(url, card(number, "12 / 31", code));
    if ((await shop.payments())[0].status === "pending") await send(url, approve);
    const { html } = await show(url);
    // Pages with the form list the test cards.
    if (!html.includes('id="number"')) pages.push(html);
  }
  const seen = {
    pages,
    records: await Promise.all(references.map((reference) => account.records.get(reference))),
    events: await account.events.list(),
    inbox: await account.inbox.list(),
    requests: await account.requests.list(),
    snapshot: await account.snapshot(),
  };
  const places = new Map(Object.entries(seen).map(([name, thing]) => [name, JSON.stringify(thing)]));
  const showing = (numbers: readonly string[], all: Iterable<readonly [string, string]>) =>
    [...all].filter(([, text]) => numbers.some((number) => text.replace(/[\s-]/g, "").includes(number)));
  const written = () => [
    ...filesBelow(folder),
    ["stdout", program.stdout()] as const,
    ["stderr", program.stderr()] as const,
  ];
  const ours = testCards.map(({ number }) => number);
  expect(places.get("snapshot")).toContain('"last4":"5126"');
  expect(showing(real, places)).toEqual([]);
  expect(
    showing(
      ours,
      [...places].filter(([name]) => name !== "pages"),
    ),
  ).toEqual([]);
  expect(
    showing(
      ours,
      pages.slice(-1).map((html) => ["receipt", html]),
    ),
  ).toEqual([]);
  expect(showing([...real, ...ours], written())).toEqual([]);
  expect(await program.stop()).toBe(0);
  expect(showing([...real, ...ours], written())).toEqual([]);
});

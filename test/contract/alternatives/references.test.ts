import { describe, expect, test } from "vitest";
import { customer, openShop } from "../../service/business/shop.js";
import { useSandbox } from "../../support/sandbox.js";
import { named } from "./asking.js";
import { useContract } from "./served-contract.js";
import { useAlternative } from "./use-alternative.js";

const create = named("createVirtualAccount");
const path = "/virtual-accounts";
const sent = { ...customer, reference: "customer-7" };

describe("returned", () => {
  const sandbox = useAlternative("business.reference_reuse", "returned");
  const contract = useContract(sandbox);

  test("a second account with the same reference is the first one, whatever else was sent", async () => {
    const shop = await openShop(sandbox.account());
    const first = await shop.ask("POST", path, sent);
    const second = await shop.ask("POST", path, { ...sent, customer_name: "Somebody Else" });
    expect(second).toMatchObject({ status: first.status, body: first.body });
    expect((await shop.got("GET", path)).accounts).toHaveLength(1);
    expect(await shop.count("virtual_account.created")).toBe(1);
  });

  test("new, omitted and other businesses' references create new accounts", async () => {
    const [shop, other] = [await openShop(sandbox.account()), await openShop(sandbox.account())];
    const ids = new Set();
    for (const body of [sent, { ...sent, reference: "customer-8" }, customer, customer])
      ids.add((await shop.got("POST", path, body)).id);
    ids.add((await other.got("POST", path, sent)).id);
    expect(ids.size).toBe(5);
  });

  test("an invalid request is refused before its reference is compared", async () => {
    const shop = await openShop(sandbox.account());
    await shop.got("POST", path, sent);
    expect((await shop.ask("POST", path, { ...sent, bvn: "1" })).status).toBe(400);
  });

  test("the contract has no duplicate_reference", async () => {
    expect(contract().statuses(create)).not.toContain(409);
  });
});

describe("conflict, the default", () => {
  const sandbox = useSandbox();
  const contract = useContract(sandbox);

  test("a second account with the same reference is refused, as the contract says", async () => {
    const shop = await openShop(sandbox.account());
    await shop.got("POST", path, sent);
    const reply = await shop.ask("POST", path, sent);
    expect(reply).toMatchObject({ status: 409, body: { error: { code: "duplicate_reference" } } });
    contract().expectDescribes(create, reply);
  });
});

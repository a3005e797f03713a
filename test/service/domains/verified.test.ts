import { expect, test } from "vitest";
import { domain, isVerifiedHost, startDomain } from "../../../src/service/domains/domains.js";
import { temporaryFolder } from "../../support/program.js";
import { openWorld } from "../../support/world.js";

/** Creates an account with these domains, proved by these methods. */
async function accountWith(proved: Record<string, "dns_txt" | "well_known_file" | null>) {
  const account = await openWorld(temporaryFolder()).account("svc_test_domains");
  account.commit("api", () => {
    for (const [name, method] of Object.entries(proved)) {
      const record = startDomain(account, name);
      if (method) account.records.move(domain, record, "prove", method);
    }
  });
  return (host: string) => isVerifiedHost(account, host);
}

test("a domain proved by DNS is verified with all its subdomains, and nothing else", async () => {
  const verified = await accountWith({ "shop.example": "dns_txt" });
  for (const host of ["shop.example", "Shop.Example", "www.shop.example", "a.b.shop.example"])
    expect(verified(host), host).toBe(true);
  for (const host of [
    "example",
    "other.example",
    "myshop.example",
    "shop.example.org",
    "127.0.0.1",
    "",
    "x y",
  ])
    expect(verified(host), host).toBe(false);
});

test("a domain proved by a file is verified without subdomains", async () => {
  const verified = await accountWith({ "shop.example": "well_known_file" });
  expect([verified("shop.example"), verified("www.shop.example")]).toEqual([true, false]);
});

test("a pending domain is not verified, whatever its parent and subdomains are", async () => {
  const verified = await accountWith({ "shop.example": null, "www.shop.example": "dns_txt" });
  expect([verified("shop.example"), verified("www.shop.example")]).toEqual([false, true]);
  const below = await accountWith({ "www.shop.example": null, "shop.example": "dns_txt" });
  expect(below("www.shop.example")).toBe(true);
});

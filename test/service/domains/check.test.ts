/** Interface: "Domain ownership" in States and transitions; its sentences are the titles here. */
import { describe, expect, test } from "vitest";
import { useSandbox } from "../../support/sandbox.js";
import { check, checked, nothing, publish, start, started } from "./dashboard.js";

const sandbox = useSandbox();

describe("Pending until the check finds either the DNS TXT record or the well-known file, then verified is true with method naming the proof", () => {
  test.each(["dns_txt", "well_known_file"])("%s", async (method) => {
    const account = sandbox.account();
    const { id } = await started(account);
    const stateOf = async () => (await account.records.get(id)).state;
    await publish(account, method);
    expect(await stateOf()).toBe("pending");
    expect(await check(account, id)).toMatchObject({ status: 200, body: { verified: true, method } });
    expect(await stateOf()).toBe("verified");
  });

  test("the TXT record if both exist", async () => {
    const account = sandbox.account();
    const { id } = await started(account);
    await publish(account, "well_known_file");
    await publish(account, "dns_txt");
    expect(await checked(account, id)).toEqual({ verified: true, method: "dns_txt" });
  });
});

describe("A check that finds nothing is not an error and may be repeated", () => {
  test("verified is false without a method, however often it is checked", async () => {
    const account = sandbox.account();
    const { id } = await started(account);
    for (const _ of [1, 2, 3]) expect(await check(account, id)).toMatchObject({ status: 200, body: nothing });
    await publish(account, "dns_txt");
    expect(await checked(account, id)).toEqual({ verified: true, method: "dns_txt" });
  });

  test.each([
    ["dns_txt", (token: string) => `${token}x`],
    ["dns_txt", (token: string) => token.toUpperCase()],
    ["dns_txt", (token: string) => ` ${token}`],
    ["dns_txt", () => ""],
    ["well_known_file", (token: string) => `token: ${token}`],
    ["well_known_file", () => ""],
  ])("a %s with a different value is not a proof", async (method, wrong) => {
    const account = sandbox.account();
    const { id, token } = await started(account);
    await publish(account, method, wrong(token));
    expect(await checked(account, id)).toEqual(nothing);
    await publish(account, method, token);
    expect(await checked(account, id)).toEqual({ verified: true, method });
  });
});

test("white space around the file's content is ignored", async () => {
  const account = sandbox.account();
  const { id, token } = await started(account);
  await publish(account, "well_known_file", `\n ${token}\r\n`);
  expect(await checked(account, id)).toEqual({ verified: true, method: "well_known_file" });
});

test("a verified domain stays verified by the same proof after the proof is removed", async () => {
  const account = sandbox.account();
  const { id } = await started(account);
  await publish(account, "well_known_file");
  await checked(account, id);
  await publish(account, "well_known_file", "gone");
  await publish(account, "dns_txt");
  await account.advance("8760h");
  expect(await checked(account, id)).toEqual({ verified: true, method: "well_known_file" });
});

describe("a proof", () => {
  test("counts only for its domain and account", async () => {
    const [account, other] = [sandbox.account(), sandbox.account()];
    const [shop, www] = [await started(account), await started(account, "www.shop.example")];
    const { id } = await started(other);
    await publish(account, "dns_txt", www.token);
    await publish(other, "dns_txt", shop.token);
    for (const [owner, of] of [
      [account, shop.id],
      [account, www.id],
      [other, id],
    ] as const)
      expect(await checked(owner, of)).toEqual(nothing);
  });

  test("is published at the location that the start returned", async () => {
    const account = sandbox.account();
    const { token, dns_txt, well_known_file } = await started(account);
    const common = { domain: "shop.example", value: token };
    expect(await publish(account, "dns_txt")).toEqual({ ...common, method: "dns_txt", at: dns_txt.record });
    expect(await publish(account, "well_known_file")).toEqual({
      ...common,
      method: "well_known_file",
      at: well_known_file.url,
    });
  });

  test("may be published before the verification starts, if its value is given", async () => {
    const account = sandbox.account();
    await expect(publish(account, "dns_txt")).rejects.toMatchObject({
      status: 404,
      code: "resource_not_found",
    });
    await publish(account, "dns_txt", "guessed");
    const { id } = await started(account);
    expect(await checked(account, id)).toEqual(nothing);
    await publish(account, "dns_txt", undefined, "SHOP.example");
    expect(await checked(account, id)).toMatchObject({ verified: true });
  });

  test("needs a domain and one of the two methods", async () => {
    const account = sandbox.account();
    await started(account);
    for (const [method, domain] of [
      ["email", "shop.example"],
      ["dns_txt", "127.0.0.1"],
      ["dns_txt", "shop.example:80"],
    ] as const)
      await expect(publish(account, method, "x", domain)).rejects.toMatchObject({ code: "validation_error" });
  });
});

describe("the move prove", () => {
  test.each([
    [{}, "dns_txt"],
    [{ method: "well_known_file" }, "well_known_file"],
  ])("with %j verifies by %s", async (input, method) => {
    const account = sandbox.account();
    const { id } = await started(account);
    await account.records.move(id, "prove", input);
    expect(await checked(account, id)).toEqual({ verified: true, method });
    await expect(account.records.move(id, "prove")).rejects.toMatchObject({ code: "invalid_state" });
  });

  test("refuses another method", async () => {
    const account = sandbox.account();
    const { id } = await started(account);
    const proved = account.records.move(id, "prove", { method: "email" });
    await expect(proved).rejects.toMatchObject({ status: 400, code: "validation_error" });
    expect(await checked(account, id)).toEqual(nothing);
  });
});

describe("the check of a verification", () => {
  test.each(["dom_0", "phv_0", "__proto__", "%00"])("that does not exist (%s) is 404", async (id) => {
    const { status, body } = await check(sandbox.account(), id);
    expect([status, body.error.code, body.error.param]).toEqual([404, "resource_not_found", "domain_id"]);
  });

  test("of another account is 404", async () => {
    const { id } = await started(sandbox.account());
    expect((await check(sandbox.account(), id)).status).toBe(404);
  });

  test("that ends in a requested error leaves it pending", async () => {
    const account = sandbox.account();
    const { id } = await started(account);
    await publish(account, "dns_txt");
    expect((await check(account, id, { "X-Sandbox-Outcome": "provider_timeout" })).status).toBe(504);
    expect((await account.records.get(id)).state).toBe("pending");
    expect((await start(account, "shop.example", { "X-Sandbox-Outcome": "internal_error" })).status).toBe(
      500,
    );
  });
});

test("verifications and proofs are kept by a snapshot", async () => {
  const [account, copy] = [sandbox.account(), sandbox.account()];
  const { id } = await started(account);
  await publish(account, "dns_txt");
  await copy.restore(await account.snapshot());
  expect(await checked(copy, id)).toEqual({ verified: true, method: "dns_txt" });
});

import { describe, expect, test } from "vitest";
import { useSandbox } from "../../support/sandbox.js";
import { checked, publish, start, started } from "./dashboard.js";

const sandbox = useSandbox();

describe("POST /v1/domains/verify/start", () => {
  test("returns the token, and the TXT record and file to publish", async () => {
    const { status, body } = await start(sandbox.account(), "shop.example");
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^dom_[a-z0-9]{20}$/),
      domain: "shop.example",
      token: expect.stringMatching(/^[a-z0-9]{32}$/),
      dns_txt: { record: "_service-verify.shop.example", type: "TXT", value: body.token },
      well_known_file: {
        path: "/.well-known/service-verify.txt",
        url: "https://shop.example/.well-known/service-verify.txt",
        content: body.token,
      },
    });
  });

  test("is free", async () => {
    const account = sandbox.account();
    await started(account);
    expect(await account.control("GET", "/account")).toMatchObject({ balance: 1_000_000 });
  });

  test("returns the same verification with 200 for a second start, in any notation of the domain", async () => {
    const account = sandbox.account();
    const first = await started(account);
    expect(await start(account, "SHOP.example.")).toMatchObject({ status: 200, body: first });
    await publish(account, "dns_txt");
    await checked(account, first.id);
    expect(await start(account, "shop.example")).toMatchObject({ status: 200, body: first });
    expect((await account.records.get(first.id)).state).toBe("verified");
  });

  test("gives each domain and each account a unique id and token", async () => {
    const [account, other] = [sandbox.account(), sandbox.account()];
    const all = [await started(account), await started(account, "www.shop.example"), await started(other)];
    for (const field of ["id", "token"]) expect(new Set(all.map((body) => body[field])).size).toBe(3);
  });
});

describe("the domain is returned in lower case and ASCII", () => {
  test.each([
    ["Shop.Example", "shop.example"],
    ["shop.example.", "shop.example"],
    ["Bücher.Example", "xn--bcher-kva.example"],
    ["例え。テスト", "xn--r8jz45g.xn--zckzah"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["ọjà.com.ng", "xn--j-sfa590u.com.ng"],
    ["1.shop-2.example", "1.shop-2.example"],
    ["app.localhost", "app.localhost"],
    [`${"a".repeat(63)}.example`, `${"a".repeat(63)}.example`],
  ])("%s", async (given, domain) => {
    expect((await start(sandbox.account(), given)).body).toMatchObject({
      domain,
      dns_txt: { record: `_service-verify.${domain}` },
      well_known_file: { url: `https://${domain}/.well-known/service-verify.txt` },
    });
  });
});

describe("an invalid domain is refused with a suggestion", () => {
  test.each([
    ["https://shop.example/", "shop.example"],
    ["https://user:secret@Shop.Example:8443/a?b#c", "shop.example"],
    ["shop.example:443", "shop.example"],
    ["shop.example/path", "shop.example"],
    ["ada@shop.example", "shop.example"],
    ["//shop.example", "example.com"],
    ["", "example.com"],
    [".", "example.com"],
    ["localhost", "example.com"],
    ["example", "example.com"],
    ["shop..example", "example.com"],
    ["-shop.example", "example.com"],
    ["shop-.example", "example.com"],
    ["_service-verify.example", "example.com"],
    ["*.example.org", "example.com"],
    ["shop example.org", "example.com"],
    ["shop%2eexample", "example.com"],
    ["127.0.0.1", "example.com"],
    ["127.1", "example.com"],
    ["0x7f.0.0.1", "example.com"],
    ["１２７.0.0.1", "example.com"],
    ["[::1]", "example.com"],
    ["::1", "example.com"],
    [`${"a".repeat(64)}.example`, "example.com"],
    [`${"a.".repeat(124)}example`, "example.com"],
    ["xn--a.example", "example.com"],
    ["xn--a-.example", "example.com"],
    ["shop.example\u0000", "example.com"],
    ["\ud800.example", "example.com"],
  ])("%j", async (given, right) => {
    const { status, body } = await start(sandbox.account(), given);
    expect([status, body.error.code, body.error.param]).toEqual([400, "validation_error", "domain"]);
    expect(body.error.message).toContain(`such as ${right}:`);
  });

  test("a missing or non-text domain", async () => {
    const account = sandbox.account();
    expect((await start(account, undefined)).body.error).toMatchObject({
      code: "missing_field",
      param: "domain",
    });
    for (const domain of [null, 7, ["shop.example"]])
      expect((await start(account, domain)).body.error).toMatchObject({ code: "validation_error" });
  });
});

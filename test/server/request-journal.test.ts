import { describe, expect, test } from "vitest";
import { send } from "../support/raw.js";
import { call, post, useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();

describe("the request journal", () => {
  const bvn = "22312345678";
  test.each([
    ["of the wrong type", `{"bvn":${bvn}}`],
    ["with an additional letter", `{"bvn":"${bvn}x"}`],
    ["in a body that is not JSON", `x${bvn}`],
  ])("does not show a BVN %s, though the refusal quotes it", async (_what, body) => {
    const account = sandbox.account();
    const headers = { "X-Service-Key": account.key, "Content-Type": "application/json" };
    const { status } = await send(sandbox.url, { method: "POST", target: "/v1/verify/bvn", headers, body });
    expect(status).toBe(400);
    const [entry] = await account.requests.list();
    expect(entry).toMatchObject({
      operation: "verifyBvn",
      status: 400,
      headers: { "X-Service-Key": "[redacted]" },
    });
    expect(JSON.stringify(entry)).not.toContain(bvn);
    expect(JSON.stringify(entry)).not.toContain(account.key);
  });

  test("returns a request by its id, but not one of another account", async () => {
    const [account, other] = [sandbox.account(), sandbox.account()];
    const { headers } = await post(account, "/v1/verify/bvn", { bvn: "1" });
    const id = headers.get("X-Request-Id");
    const found = await call(account, "GET", `/_sandbox/requests?id=${id}`);
    expect(found.body.items).toEqual((await account.requests.list()).slice(0, 1));
    expect((await call(other, "GET", `/_sandbox/requests?id=${id}`)).body.items).toEqual([]);
  });

  test("truncates long bodies and replies", async () => {
    const account = sandbox.account();
    const reference = "x".repeat(100_000);
    await post(account, "/v1/phone/verify/start", { phone: "08031234567", reference });
    expect(await account.requests.list()).toMatchObject([{ status: 201, body: null, reply: null }]);
  });
});

/** When faults occur, and where they are reported. */
import { Agent } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { file, png } from "../support/forms.js";
import { post, useListeningSandbox } from "../support/sandbox.js";
import { upload } from "../support/uploads.js";
import { balance, body, byNodeHttp, failure, lastStart, on, path, start } from "./faulty-clients.js";

const sandbox = useListeningSandbox();
afterEach(() => expect(sandbox.warnings).toEqual([]));

describe("a fault", () => {
  test("is reported in X-Sandbox-Fault and in the journal, next to what decided the outcome", async () => {
    const account = sandbox.account();
    await account.rules.add({
      on,
      fault: { latency: { min: "1ms", max: "3ms" }, error: "rate_limited", reply: "trickle", over: "5ms" },
    });
    const { status, headers } = await start(account);
    const said = "latency=1ms-3ms, error=rate_limited, reply=trickle";
    expect([status, headers.get("X-Sandbox-Outcome"), headers.get("X-Sandbox-Fault")]).toEqual([
      429,
      "rate_limited; by=rule",
      said,
    ]);
    expect(await lastStart(account)).toMatchObject({ status: 429, error_code: "rate_limited", fault: said });
  });

  test("occurs as often as the rule says, with its probability, for matching requests only", async () => {
    // The key decides what is drawn: with this one, two of the 20 requests are drawn.
    const account = sandbox.account({ key: "svc_test_dice_of_faults" });
    await account.rules.add({
      on,
      when: { body: { reference: "/order-.*/" } },
      fault: { reply: "truncated" },
      times: 2,
      probability: 0.5,
    });
    const other = await post(account, path, { ...body, reference: "other" });
    expect(other.headers.get("X-Sandbox-Fault")).toBeNull();
    const seen: string[] = [];
    for (let i = 0; i < 20; i++)
      seen.push(await failure(post(account, path, { ...body, reference: `order-${i}` })));
    expect(seen.filter((code) => code === "UND_ERR_SOCKET")).toHaveLength(2);
    expect(seen.filter((code) => code === "none")).toHaveLength(18);
  });

  test.each(["reset_before", "reset_after", "reset_during", "truncated"] as const)(
    "%s on a kept-alive connection does not affect the client's next request",
    async (reply) => {
      const account = sandbox.account();
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      expect(JSON.parse(await byNodeHttp(account, agent))).toMatchObject({ status: "pending" });
      await account.rules.add({ on, fault: { reply }, times: 1 });
      expect(await byNodeHttp(account, agent)).toBe("ECONNRESET");
      expect(JSON.parse(await byNodeHttp(account, agent))).toMatchObject({ status: "pending" });
    },
  );

  test.each([
    ["reset_before", 0],
    ["reset_after", 1],
    ["truncated", 1],
    ["malformed", 1],
  ] as const)("%s works for an upload", async (reply, happened) => {
    const account = sandbox.account();
    const parts = [file("file", png, "adaeze-licence.png")];
    const before = await balance(account);
    await account.rules.add({ on: "verifyDocument", fault: { reply }, times: 1 });
    await expect(upload(account, parts)).rejects.toThrow();
    expect(await balance(account)).toBe(before - 30 * happened);
    expect((await upload(account, parts)).status).toBe(200);
  });
});

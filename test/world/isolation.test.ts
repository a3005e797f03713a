import { expect, test } from "vitest";
import { startSandbox } from "../../src/index.js";
import { post, useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();
const path = "/v1/phone/verify/start";

test("two accounts with 100 parallel requests each never see each other", async () => {
  const accounts = [sandbox.account(), sandbox.account()] as const;
  const started = await Promise.all(
    accounts.map((account, index) =>
      Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          post(account, path, { phone: `+23480${index + 3}1230${100 + i}`, reference: `${index}` }),
        ),
      ),
    ),
  );
  for (const [index, account] of accounts.entries()) {
    const mine = started[index]?.map(({ body }) => body) ?? [];
    expect(new Set(mine.map(({ reference }) => reference))).toEqual(new Set([`${index}`]));
    const messages = await account.inbox.list();
    expect(messages.map(({ to }) => to).sort()).toEqual(mine.map(({ phone }) => phone).sort());
    expect((await account.update({})).balance).toBe(1_000_000 - 600);
    const other = accounts[1 - index] as (typeof accounts)[0];
    await expect(other.records.get(mine[0].id)).rejects.toMatchObject({ code: "resource_not_found" });
    expect(await account.requests.list()).toHaveLength(100);
  }
});

test("the same seed, clock and requests give the same replies, ids, codes and webhook bytes", async () => {
  const replay = async (seed: string) => {
    const fresh = await startSandbox({ seed });
    const account = fresh.account({ key: "svc_test_replayed" });
    await account.clock.freeze("2030-01-01T00:00:00Z");
    const replies = [];
    replies.push(await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/" }));
    for (const phone of ["08031234567", "1", "+2348000000006", "+2348000000004"])
      replies.push(await post(account, path, { phone }));
    await account.events.trigger("payout.paid");
    await account.advance("1h");
    const deliveries = await account.deliveries.list();
    const seen = {
      replies: replies.map(({ status, body }) => ({ status, body })),
      inbox: await account.inbox.list(),
      sent: deliveries.map(({ attempts }) =>
        attempts.map(({ at, request_body, request_headers }) => ({ at, request_body, request_headers })),
      ),
    };
    await fresh.close();
    return JSON.stringify(seen);
  };
  const first = await replay("one");
  expect(await replay("one")).toBe(first);
  expect(await replay("two")).not.toBe(first);
});

test("a live key and a test key have separate accounts, even if everything else is the same", async () => {
  const [test, live] = [sandbox.account({ key: "svc_test_pair" }), sandbox.account({ key: "svc_live_pair" })];
  expect((await post(test, path, { phone: "08031234567" })).body.is_test).toBe(true);
  expect((await post(live, path, { phone: "08031234567" })).body.is_test).toBe(false);
  expect(await live.inbox.list()).toHaveLength(1);
});

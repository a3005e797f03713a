import { expect, test } from "vitest";
import { call, fetchFrom, post, useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();

test("the date of a reply is that of the account's clock, by the service and by the control API", async () => {
  const account = sandbox.account();
  await account.clock.freeze("2030-02-03T04:05:06.789Z");
  const replies = [
    await call(account, "GET", "/v1/balance"),
    await post(account, "/v1/phone/verify/start", { phone: "nobody" }),
    await call(account, "GET", "/_sandbox/clock"),
  ];
  expect(replies.map(({ status, headers }) => [status, headers.get("Date")])).toEqual(
    [200, 400, 200].map((status) => [status, "Sun, 03 Feb 2030 04:05:06 GMT"]),
  );
  await account.advance("1d");
  expect((await call(account, "GET", "/v1/balance")).headers.get("Date")).toBe(
    "Mon, 04 Feb 2030 04:05:06 GMT",
  );
});

test("a reply that concerns no account has the date of the machine", async () => {
  const before = Date.now();
  const { headers } = await fetchFrom(sandbox.account(), "/healthz");
  const date = Date.parse(headers.get("Date") as string);
  expect(date).toBeGreaterThan(before - 1000);
  expect(date).toBeLessThanOrEqual(Date.now());
});

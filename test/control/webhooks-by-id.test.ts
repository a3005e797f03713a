import { expect, test } from "vitest";
import { call, post, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();

test("an event and its deliveries are read by id", async () => {
  const account = sandbox.account();
  await account.clock.freeze();
  for (const path of ["one", "two"])
    await post(account, "/v1/webhooks", { url: `http://127.0.0.1:9/${path}`, events: ["*"] });
  await account.events.trigger("payout.failed");
  const { id } = await account.events.trigger("payout.paid");
  const read = async (path: string) => (await call(account, "GET", `/_sandbox${path}`)).body;
  expect((await read(`/events?id=${id}`)).items).toEqual((await account.events.list()).slice(0, 1));
  expect((await read(`/events?id=${id}&event=payout.failed`)).items).toEqual([]);
  expect((await read("/events?id=evt_1")).items).toEqual([]);
  const { items } = await read(`/deliveries?event_id=${id}`);
  expect(items.map(({ event }: { event: string }) => event)).toEqual(["payout.paid", "payout.paid"]);
  for (const delivery of items)
    expect(await read(`/deliveries/${delivery.id}`)).toMatchObject({ id: delivery.id });
  expect((await read("/deliveries/dlv_1")).error).toMatchObject({ code: "resource_not_found", param: "id" });
  expect((await read("/events/wait?event=payout.rejected&timeout=1ms")).error.code).toBe("wait_timeout");
});

import { expect, onTestFinished, test } from "vitest";
import { startReceiver } from "../support/receiver.js";
import { post, useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();

test("fifty endpoints that never answer do not block the one that does", async () => {
  const account = sandbox.account();
  let open = 0;
  let peakSockets = 0;
  const hanging = await startReceiver((_count, response) => {
    peakSockets = Math.max(peakSockets, ++open);
    response.once("close", () => open--);
  });
  const healthy = await startReceiver();
  onTestFinished(async () => void (await Promise.all([hanging.close(), healthy.close()])));
  for (let i = 0; i < 50; i++) await post(account, "/v1/webhooks", { url: `${hanging.url}/${i}` });
  await post(account, "/v1/webhooks", { url: healthy.url });
  for (let i = 0; i < 20; i++) await account.events.trigger("payout.paid");
  await healthy.got(20);
  expect(peakSockets).toBeGreaterThan(0);
  expect(peakSockets).toBeLessThanOrEqual(256);
});

import { afterAll, expect, test } from "vitest";
import { openWebhookReceiver, redirectedPath } from "../../src/drift/receiver.js";

const receiver = await openWebhookReceiver();
afterAll(() => receiver.close());

test("a webhook that is answered with a redirect is answered with 204 where a service follows it", async () => {
  receiver.answer(() => true, { status: 302, redirects: true });
  const answer = await fetch(receiver.url, { method: "POST", body: "{}" });
  expect([answer.status, new URL(answer.url).pathname]).toEqual([204, `/webhooks${redirectedPath}`]);
  expect(receiver.all(() => true).map(({ method, path }) => [method, path])).toEqual([
    ["POST", "/webhooks"],
    ["GET", `/webhooks${redirectedPath}`],
  ]);
});

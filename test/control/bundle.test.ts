/** Bundles of accounts, opened in another sandbox. test/scenarios/files.test.ts opens one of every scenario. */
import { expect, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { type Bundle, openBundle } from "../scenarios/bundles.js";
import { post, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();
const other = useSandbox();

const open = (bundle: Bundle): Promise<SandboxAccount> =>
  openBundle(other.account({ mode: bundle.mode }), bundle);

test("an activity of an opened bundle is explained by its causes and effects", async () => {
  const account = sandbox.account();
  await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  const opened = await open(await account.control<Bundle>("GET", "/export/bundle"));
  const [message] = await opened.inbox.list();
  const { causes } = await opened.control<{ causes: { title: string }[] }>("GET", `/activity/${message?.id}`);
  expect(causes.map(({ title }) => title)).toEqual(["POST /v1/phone/verify/start"]);
  expect(message?.codes).toEqual(["[redacted]"]);
});

test("a damaged history is refused with the place and the reason", async () => {
  const account = other.account();
  const history = { state: { activity: { req_1: { id: 1 } }, requests: {} } };
  await expect(account.control("PUT", "/bundle/history", history)).rejects.toThrow(/state\.activity\.req_1/);
});

test("a bundle of version 0.2 opens: it has no changes of states, and titles that have them as text", async () => {
  const account = sandbox.account();
  await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  const bundle = await account.control<Bundle>("GET", "/export/bundle");
  const text = JSON.stringify(bundle)
    .replaceAll(/"move":(?:null|\{[^{}]*\}),/g, "")
    .replaceAll("A code was sent to +2348031234567.", "phone_verification new → pending by send");
  expect(text).toContain("new → pending by send");
  expect(text).not.toContain('"move":{');
  const opened = await open(JSON.parse(text) as Bundle);
  const { items } = await opened.control<{ items: { title: string; move: unknown }[] }>("GET", "/activity");
  expect(items.map(({ title, move }) => [title, move])).toContainEqual([
    "phone_verification new → pending by send",
    null,
  ]);
});

/** The seed, from which codes and webhook secrets follow. */
import { expect, onTestFinished, test } from "vitest";
import { type SandboxOptions, startSandbox } from "../../../src/index.js";
import { freshFolder } from "../../support/folder.js";
import { call } from "../../support/sandbox.js";

/** Starts a sandbox, and returns the webhook secret that it makes for an account of this key. */
async function madeSecret(options: SandboxOptions): Promise<string> {
  const sandbox = await startSandbox({ adminToken: "opensesame", ...options });
  onTestFinished(() => sandbox.close());
  const account = sandbox.account({ key: "svc_test_seeded" });
  await account.reset();
  const { body } = await call(account, "GET", "/_sandbox/account", undefined, {
    "X-Sandbox-Admin": "opensesame",
  });
  await sandbox.close();
  return body.webhook_secret;
}

const everywhere = { host: "0.0.0.0" };

test("beyond loopback, the default seed is random, and the store keeps it", async () => {
  const data = freshFolder();
  const known = await madeSecret({});
  expect(known).toMatch(/^whsec_\w{32}$/);
  const kept = await madeSecret({ ...everywhere, data });
  expect(await madeSecret({ ...everywhere, data })).toBe(kept);
  const others = [await madeSecret({ ...everywhere, data: freshFolder() }), await madeSecret(everywhere)];
  expect(new Set([known, kept, ...others]).size).toBe(4);
});

test("a seed that is given counts on every host, and the default one on loopback is the same everywhere", async () => {
  const known = await madeSecret({});
  expect(await madeSecret({ data: freshFolder() })).toBe(known);
  expect(await madeSecret({ ...everywhere, seed: "standin" })).toBe(known);
});

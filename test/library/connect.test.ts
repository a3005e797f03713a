import { expect, onTestFinished, test } from "vitest";
import { connectSandbox, NoSandbox, startSandbox } from "../../src/index.js";

async function started(options = {}) {
  const sandbox = await startSandbox({ validateReplies: true, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

test("another process connects to a running sandbox: the same key is the same account", async () => {
  const sandbox = await started();
  const here = sandbox.account();
  await here.update({ balance: 77 });
  const connected = connectSandbox(`${sandbox.url}/`);
  expect(connected.url).toBe(sandbox.url);
  expect(await connected.account({ key: here.key }).update({})).toMatchObject({ balance: 77 });
});

test("unnamed accounts are new and have the requested mode", async () => {
  const connected = connectSandbox((await started()).url);
  const [one, other] = [connected.account(), connected.account({ mode: "live" })];
  expect(one.key).not.toBe(other.key);
  expect(await one.update({})).toMatchObject({ mode: "test", balance: 1_000_000 });
  expect(await other.update({})).toMatchObject({ mode: "live" });
  expect((await one.fetch("/v1/balance")).status).toBe(200);
});

test("a sandbox with an admin token can be controlled with that token", async () => {
  const sandbox = await started({ adminToken: "let-me-in" });
  const stranger = connectSandbox(sandbox.url).account();
  await expect(stranger.clock.get()).rejects.toMatchObject({ name: "ControlError" });
  const friend = connectSandbox(sandbox.url, { adminToken: "let-me-in" }).account();
  expect(await friend.clock.get()).toMatchObject({ mode: "running" });
});

test("if nothing listens, the first call rejects with the URL and the cause", async () => {
  const { url, close } = await startSandbox();
  await close();
  const call = connectSandbox(url).account().clock.get();
  await expect(call).rejects.toBeInstanceOf(NoSandbox);
  await expect(call).rejects.toThrow(`no sandbox answers at ${url} (ECONNREFUSED)`);
  await expect(call).rejects.toMatchObject({ cause: { message: "fetch failed" } });
});

test.each(["foo", "127.0.0.1:4010", "ftp://127.0.0.1"])("%s is not the URL of a sandbox", (url) => {
  expect(() => connectSandbox(url)).toThrow(
    `the http or https URL of a sandbox, such as http://127.0.0.1:4010; got "${url}"`,
  );
});

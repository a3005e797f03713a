/**
 * The built library in a process whose timers a test fakes: it waits by real time, and so do the libraries in it. Calls stay
 * inside the process, since the timers of Node's own fetch are the faked ones.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mock } from "node:test";
import { install } from "@sinonjs/fake-timers";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type * as Library from "../../src/index.js";
import { run, usePackage } from "../support/package.js";
import { temporaryFolder } from "../support/program.js";

// The built library: its dependencies wait by real time too. The name is not resolved by the type checker.
const builtLibrary: string = "../../dist/index.js";
const { createSandbox }: typeof Library = await import(builtLibrary);

interface Faked {
  restore(): void;
  timers: Library.FakeTimers;
}

/** Fakes timers. */
const fakes: Readonly<Record<string, () => Faked>> = {
  Vitest() {
    vi.useFakeTimers();
    return { restore: () => void vi.useRealTimers(), timers: vi };
  },
  "node:test"() {
    mock.timers.enable();
    return { restore: () => mock.timers.reset(), timers: mock.timers };
  },
  // The sandbox gives Node its own nextTick and queueMicrotask back.
  Sinon() {
    const clock = install();
    // What came meanwhile is passed on afterwards. Otherwise a message of Vitest would be lost, for which the worker waits for ever.
    onTestFinished(() => clock.runMicrotasks());
    return { restore: () => clock.uninstall(), timers: clock };
  },
  "Sinon without nextTick and queueMicrotask"() {
    const clock = install({ toNotFake: ["nextTick", "queueMicrotask"] });
    return { restore: () => clock.uninstall(), timers: clock };
  },
};

const stores: Readonly<Record<string, () => Library.SandboxOptions>> = {
  memory: () => ({}),
  files: () => ({ data: temporaryFolder() }),
};

let restore = () => {};
afterEach(() => restore());

const receiver = createServer((request, response) => request.resume().on("end", () => response.end()));
beforeAll(() => new Promise<void>((resolve) => void receiver.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  receiver.close();
  receiver.closeAllConnections();
});

/** Returns what a client sees that verifies a number and gets three webhooks, the later ones on a connection that is open. */
async function play(sandbox: Library.Sandbox) {
  const account = sandbox.account();
  const post = (path: string, body: object) =>
    account.fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const { port } = receiver.address() as AddressInfo;
  await post("/v1/webhooks", { url: `http://127.0.0.1:${port}/` });
  const started = await post("/v1/phone/verify/start", { phone: "08031234567" });
  const { codes } = await account.inbox.wait({ to: "+2348031234567" });
  const { id } = (await started.json()) as { id: string };
  const checked = (await (await post("/v1/phone/verify/check", { id, code: codes[0] })).json()) as object;
  for (let count = 0; count < 2; count++) {
    await account.events.trigger("payout.paid");
    await account.advance("1s");
  }
  const deliveries = await account.deliveries.list({ event: "payout.paid" });
  return { checked, delivered: deliveries.map(({ status }) => status) };
}

const played = {
  checked: expect.objectContaining({ verified: true }),
  delivered: ["succeeded", "succeeded"],
};

describe.each(Object.keys(fakes))("fake timers of %s", (name) => {
  const fake = () => {
    const faked = (fakes[name] as () => Faked)();
    restore = () => faked.restore();
    return faked.timers;
  };

  test("advance with the clock of the account", async () => {
    const sandbox = await createSandbox();
    const timers = fake();
    const rang: string[] = [];
    setTimeout(() => rang.push("9m"), 9 * 60_000);
    setTimeout(() => rang.push("11m"), 11 * 60_000);
    await sandbox.account().advance("10m", { timers });
    expect(rang).toEqual(["9m"]);
    await sandbox.account().advance("2m", { timers });
    expect(rang).toEqual(["9m", "11m"]);
    await sandbox.close();
  });

  test.each(Object.keys(stores))(
    "calls and webhooks are answered while time stands still and once it runs again, stored in %s",
    { timeout: 60_000 },
    async (store) => {
      const sandbox = await createSandbox(stores[store]?.());
      fake();
      expect(await play(sandbox)).toEqual(played);
      restore();
      expect(await play(sandbox)).toEqual(played);
      fake();
      await sandbox.close();
    },
  );
});

const installed = usePackage();

test("another object than a fake clock is refused", async () => {
  const sandbox = await createSandbox();
  await expect(sandbox.account().advance("1m", { timers: {} as never })).rejects.toThrow(
    /^timers must be a fake clock: vi of Vitest, jest, a clock of Sinon/,
  );
  await sandbox.close();
});

test("a sandbox that was loaded while timers were fake says so instead of never answering", async () => {
  const folder = installed.project("late");
  const script = `
    import { mock } from "node:test";
    mock.timers.enable();
    const { createSandbox } = await import("standin");
    await createSandbox().catch(({ message }) => console.log(message));`;
  const { stdout } = await run(["node", "--input-type=module", "--eval", script], folder);
  expect(stdout).toMatch(/^standin was loaded while timers were fake/);
});

import { expect, onTestFinished, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { freshFolder } from "../../support/folder.js";
import { openOn } from "../../support/folder-sandbox.js";
import { startReceiver } from "../../support/receiver.js";
import { post, useListeningSandbox } from "../../support/sandbox.js";
import { copyAsKilled } from "../../support/stores.js";
import { openWorld } from "../../support/world.js";

const sandbox = useListeningSandbox();
const key = "svc_test_advanced";
const start = (account: SandboxAccount) =>
  post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });

async function receiverFor(account: SandboxAccount, ...args: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...args);
  onTestFinished(() => receiver.close());
  await post(account, "/v1/webhooks", { url: receiver.url });
  return receiver;
}

test("an advance ends although a client continues to write", async () => {
  const account = sandbox.account();
  let writes = 0;
  let isOver = false;
  // Each delivery is answered after the next write, so one is always in flight.
  await receiverFor(account, async (_count, response) => {
    if (!isOver) await account.events.trigger("payout.paid");
    writes++;
    response.end();
  });
  const { id } = (await start(account)).body;
  await account.events.trigger("payout.paid");
  const { ran } = await account.advance("30m");
  isOver = true;
  expect(writes).toBeGreaterThan(0);
  expect(ran).toContainEqual(expect.objectContaining({ id, move: "expire" }));
});

test.each(["running", "frozen"])(
  "a kill during an advance of a %s clock leaves it at or after the last record",
  async (mode) => {
    const folder = freshFolder();
    const first = await openOn(folder);
    const account = first.account(key);
    if (mode === "frozen") await account.clock.freeze();
    const hangingAttempt = 5;
    const receiver = await receiverFor(account, (count, response) => {
      if (count < hangingAttempt) response.writeHead(500).end();
    });
    await account.events.trigger("payout.paid");
    account.advance("24h").catch(() => {});
    await receiver.got(hangingAttempt);

    const again = (await openOn(copyAsKilled(folder))).account(key);
    const { now, mode: modeAfter } = await again.clock.get();
    const [delivery] = await again.deliveries.list();
    const lastAt = delivery?.attempts.at(hangingAttempt - 2)?.at as string;
    expect(Date.parse(now)).toBeGreaterThanOrEqual(Date.parse(lastAt));
    expect(modeAfter).toBe(mode);
  },
);

test("a stop during an advance leaves the clock where it was", async () => {
  const folder = freshFolder();
  const hour = 3_600_000;
  let hangs = () => {};
  const isHanging = new Promise<void>((resolve) => {
    hangs = resolve;
  });
  const hang = () => {
    hangs();
    return new Promise<null>(() => {});
  };
  const first = openWorld(folder, { hang });
  const account = await first.account(key);
  const due = account.clock.now() + hour;
  account.commit("api", () => account.jobs.schedule("hang", { due, kind: "hang" }));
  first.world.scheduler.advance(account, due + hour).catch(() => {});
  await isHanging;
  await first.close();
  expect((await openWorld(folder, { hang }).account(key)).clock.now()).toBeGreaterThanOrEqual(due);
});

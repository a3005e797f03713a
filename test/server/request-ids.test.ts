import { expect, test } from "vitest";
import { createSandbox } from "../../src/index.js";
import { freshFolder, startOn } from "../support/folder.js";
import { call, post, startPhone, useSandbox } from "../support/sandbox.js";
import { openWorld, things } from "../support/world.js";

const sandbox = useSandbox();
const key = "svc_test_numbered";

test("no request id repeats after a kill and a restart, including those of reads and unknown paths", async () => {
  const folder = freshFolder();
  const ids: (string | null)[] = [];
  for (let run = 0; run < 3; run++) {
    const program = await startOn(folder);
    const account = program.account(key);
    if (run === 0) await startPhone(account);
    for (const path of ["/v1/balance", "/v1/balance", "/v1/nothing", "/healthz"])
      ids.push((await call(account, "GET", path)).headers.get("X-Request-Id"));
    await program.stop("SIGKILL");
  }
  expect(ids).toEqual([...new Set(ids)]);
});

test("no request id repeats after a reset or a restore, or on another account", async () => {
  const [account, copy] = [sandbox.account(), sandbox.account()];
  const snapshot = await account.snapshot();
  const ids: (string | null)[] = [];
  const ask = async (asking = account) =>
    ids.push((await call(asking, "GET", "/v1/balance")).headers.get("X-Request-Id"));
  await ask();
  await account.reset();
  await ask();
  await account.restore(snapshot);
  await ask();
  await copy.restore(snapshot);
  await ask(copy);
  expect(ids).toEqual([...new Set(ids)]);
});

test("no request id repeats when an idle account is evicted and loaded again", async () => {
  const { world, account } = openWorld(freshFolder());
  const before = await account(key);
  before.commit("api", () => before.state.put(things, "a", {}));
  const first = [before.nextRequestId(), before.nextRequestId()];
  await before.safe();
  expect(world.evict(0)).toBe(1);
  expect(first).not.toContain((await account(key)).nextRequestId());
});

test("new sandboxes give the same requests the same ids", async () => {
  const idsOf = async () => {
    const fresh = await createSandbox({ seed: "numbers" });
    const account = fresh.account({ key });
    const replies = [
      await post(account, "/v1/phone/verify/start", {}),
      await call(account, "GET", "/v1/none"),
    ];
    await fresh.close();
    return replies.map(({ headers }) => headers.get("X-Request-Id"));
  };
  expect(await idsOf()).toEqual(await idsOf());
});

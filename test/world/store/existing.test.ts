import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { accountId } from "../../../src/world/account/account-id.js";
import { accountFile, freshFolder } from "../../support/folder.js";
import { openWorld, put, things } from "../../support/world.js";

const key = "svc_test_existing";
const id = accountId(key);

describe("looking up an account by its id", () => {
  test("finds it if it was used, in memory and on disk", async () => {
    const { world, account } = openWorld(freshFolder());
    const used = await account(key);
    put(used, "things", "one", {});
    await used.safe();
    expect(await world.existing(id)).toBe(used);
    expect(world.evict(-1)).toBe(1);
    expect((await world.existing(id))?.state.get(things, "one")).toEqual({});
  });

  test("returns null if it was not used, and creates nothing in memory or on disk", async () => {
    const folder = freshFolder();
    const { world } = openWorld(folder);
    expect(await world.existing(id)).toBeNull();
    expect([...world.accounts()]).toEqual([]);
    expect(existsSync(accountFile(folder, key))).toBe(false);
  });

  test("returns null until its key has changed something, and the account stays usable", async () => {
    const { world, account } = openWorld(freshFolder());
    const held = await account(key);
    expect(await world.existing(id)).toBeNull();
    put(held, "things", "one", {});
    expect(await world.existing(id)).toBe(held);
  });

  test.each(["", "acct_", "acct_AAAAAAAAAAAAAAAA", "acct_aaaaaaaaaaaaaaa1", "../../etc", `${id}/..`])(
    "returns null for %j, which is not an account id",
    async (text) => {
      const { world } = openWorld(freshFolder());
      expect(await world.existing(text)).toBeNull();
      expect([...world.accounts()]).toEqual([]);
    },
  );
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { accountFile, freshFolder, startOn } from "../support/folder.js";
import { call, post } from "../support/sandbox.js";

const key = "svc_test_journal";

test("the request journal survives a restart without secrets, queries and bodies, and a reset clears it", async () => {
  const folder = freshFolder();
  const first = await startOn(folder);
  const account = first.account(key);
  await post(account, "/v1/verify/bvn", { bvn: "22212345678" });
  await call(account, "GET", "/v1/balance?tag=a");
  const before = await account.requests.list();
  expect(before).toHaveLength(2);
  await first.stop("SIGTERM");
  const stored = readFileSync(accountFile(folder, key, "requests.ndjson"), "utf8");
  expect(stored).not.toContain("22212345678");
  expect(stored).not.toContain(key);

  const second = await startOn(folder);
  const again = second.account(key);
  await call(again, "GET", "/v1/balance");
  const [newest, ...earlier] = await again.requests.list();
  expect(newest).toMatchObject({ path: "/v1/balance" });
  expect(earlier).toEqual(
    before.map((entry) => ({ ...entry, path: entry.path.split("?")[0], body: null, reply: null })),
  );
  await again.requests.expect({ operation: "getBalance", times: 2 });
  await again.reset();
  expect(await again.requests.list()).toEqual([]);
  await second.stop("SIGTERM");
  expect(await (await startOn(folder)).account(key).requests.list()).toEqual([]);
});

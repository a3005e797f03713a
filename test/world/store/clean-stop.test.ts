/** A clean stop, and `standin snapshot`, leave a document per account that a person can read. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { freshFolder, startOn } from "../../support/folder.js";
import { openOn } from "../../support/folder-sandbox.js";
import { runProgram } from "../../support/program.js";
import { startPhone } from "../../support/sandbox.js";
import { copyAsKilled, documentOf, expectSoundDueTimes, hasCommits } from "../../support/stores.js";
import { openWorld, put } from "../../support/world.js";

const key = "svc_test_stopped";
const other = "svc_test_other";

const readDocument = (folder: string) => JSON.parse(readFileSync(documentOf(folder, key), "utf8"));

test("a clean stop writes the documents, which the next start reads", async () => {
  const folder = freshFolder();
  const program = await startOn(folder);
  const { id } = (await startPhone(program.account(key))).body;
  expect(hasCommits(folder, key)).toBe(true);
  expect(await program.stop("SIGTERM")).toBe(0);
  expect(hasCommits(folder, key)).toBe(false);
  expect(readDocument(folder).phone_verification[id]).toMatchObject({ id, state: "pending" });

  await expectSoundDueTimes(folder);
  const again = await openOn(folder);
  expect((await again.account(key).records.get(id)).state).toBe("pending");
  await again.stop();
  expect(program.stderr() + again.stderr()).toBe("");
});

test("standin snapshot writes the document of its account, and the commits since then are kept", async () => {
  const folder = freshFolder();
  const sandbox = await openOn(folder);
  const start = async (ofKey: string): Promise<string> => (await startPhone(sandbox.account(ofKey))).body.id;
  const ids = [await start(key), await start(key)];
  await start(other);
  const { code } = await runProgram(["snapshot", "--url", sandbox.url, "--key", key]);
  expect(code).toBe(0);
  expect(Object.keys(readDocument(folder).phone_verification)).toEqual(ids);
  expect([hasCommits(folder, key), hasCommits(folder, other)]).toEqual([false, true]);
  ids.push(await start(key));
  const again = (await openOn(copyAsKilled(folder))).account(key);
  for (const id of ids) expect((await again.records.get(id)).state).toBe("pending");
});

test("a clean stop compacts the journal that an earlier, killed process left", async () => {
  const inUse = freshFolder();
  const killed = await openOn(inUse);
  for (const ofKey of [key, other]) await startPhone(killed.account(ofKey));
  const folder = copyAsKilled(inUse);
  const { account, close } = openWorld(folder);
  await account(key);
  await close();
  expect([hasCommits(folder, key), hasCommits(folder, other)]).toEqual([false, true]);
});

test("evicted accounts are compacted too", async () => {
  const folder = freshFolder();
  const { world, account, close } = openWorld(folder);
  const opened = await account(key);
  put(opened, "things", "one", { number: 1 });
  await opened.safe();
  expect(world.evict(-1)).toBe(1);
  await close();
  expect(hasCommits(folder, key)).toBe(false);
  expect(readDocument(folder).things).toEqual({ one: { number: 1 } });
});

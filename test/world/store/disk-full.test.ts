import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { accountId } from "../../../src/world/account/account-id.js";
import { diskCanBeFull, limitFiles, startWithoutRoom } from "../../support/disk.js";
import { accountFile, freshFolder, startOn } from "../../support/folder.js";
import { openOn } from "../../support/folder-sandbox.js";
import { type Program, startProgram, temporaryFolder } from "../../support/program.js";
import { startReceiver } from "../../support/receiver.js";
import { call, post, type Reply, startPhone } from "../../support/sandbox.js";
import { documentOf, expectSoundDueTimes, folderFormat, journalOf } from "../../support/stores.js";
import { until } from "../../support/until.js";

const key = "svc_test_full";
const other = "svc_test_small";

/** Expects the account to have exactly these verifications in all its records, usage and messages. */
async function expectExactly(account: SandboxAccount, ids: readonly string[]): Promise<void> {
  for (const id of ids) expect((await account.records.get(id)).state).toBe("pending");
  expect(await account.inbox.list()).toHaveLength(ids.length);
  expect((await account.update({})).balance).toBe(1_000_000 - 6 * ids.length);
}

/** A program that several tests share. Each uses accounts of its own, and makes room again at its end. */
let shared: Program;
const sharedFolder = temporaryFolder();
beforeAll(async () => {
  shared = await startProgram(["--data", sharedFolder], sharedFolder);
});
afterAll(async () => {
  await shared.stop("SIGKILL");
  rmSync(sharedFolder, { recursive: true, force: true });
});

function expectUnavailable(reply: Reply): void {
  expect([reply.status, reply.body.error.code]).toEqual([503, "storage_unavailable"]);
}

describe.runIf(diskCanBeFull)("on a full disk", () => {
  test.each(["process", "power"])(
    "%s: a change that does not fit is refused and rolled back, other accounts work, and changes succeed when there is space again",
    async (durability) => {
      const folder = freshFolder();
      const program = await startOn(folder, "--durability", durability);
      const account = program.account(key);
      limitFiles(program, 30_000);
      const ids: string[] = [];
      let refused = 0;
      while (refused === 0) {
        const replies = await Promise.all(Array.from({ length: 5 }, () => startPhone(account)));
        for (const reply of replies) {
          if (reply.status === 201) ids.push(reply.body.id);
          else expectUnavailable(reply);
        }
        refused = replies.filter(({ status }) => status !== 201).length;
      }
      await until("the operator is told", () => program.stderr().includes("was rolled back (EFBIG"));
      for (const id of ids) expect((await account.records.get(id)).state).toBe("pending");
      expect(await account.inbox.list()).toHaveLength(ids.length);
      expect((await startPhone(program.account(other))).status).toBe(201);

      limitFiles(program, "unlimited");
      ids.push((await startPhone(account)).body.id);
      await expectExactly(account, ids);
      await program.stop("SIGKILL");
      await expectSoundDueTimes(folder);
      const again = await openOn(folder);
      await expectExactly(again.account(key), ids);
      expect(again.stderr()).toBe("");
    },
  );

  test("an advance is refused, and the clock is the one on disk", async () => {
    const account = shared.account("svc_test_advancing");
    await account.clock.freeze("2030-01-01T00:00:00Z");
    const { id } = (await startPhone(account)).body;
    limitFiles(shared, 1);
    await expect(account.advance("1h")).rejects.toMatchObject({ status: 503, code: "storage_unavailable" });
    expect((await account.clock.get()).now).toBe("2030-01-01T00:00:00.000Z");
    expect((await account.records.get(id)).state).toBe("pending");
    limitFiles(shared, "unlimited");
    await account.advance("1h");
    expect((await account.records.get(id)).state).toBe("expired");
  });

  test("an advance is refused if a change during it cannot be written", async () => {
    const receiver = await startReceiver((count, response) => {
      // The second answer waits until the result of the first could not be stored.
      if (count === 1) return response.end();
      until("the loss is told", () =>
        shared
          .stderr()
          .includes(`${accountId(account.key)}: a change could not be written and was rolled back`),
      ).finally(() => response.end());
    });
    onTestFinished(() => receiver.close());
    const account = shared.account("svc_test_notifying");
    await account.clock.freeze();
    await post(account, "/v1/webhooks", { url: receiver.url });
    for (let i = 0; i < 2; i++) await account.events.trigger("payout.paid");
    limitFiles(shared, 1);
    await expect(account.advance("1h")).rejects.toMatchObject({ status: 503, code: "storage_unavailable" });
    limitFiles(shared, "unlimited");
    await account.advance("1h");
    expect((await account.deliveries.list()).map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  });

  test("a partly written line is removed", async () => {
    const account = shared.account("svc_test_partly");
    const ids = [(await startPhone(account)).body.id];
    const journal = journalOf(sharedFolder, account.key);
    const { size } = statSync(journal);
    limitFiles(shared, size + 10);
    expectUnavailable(await startPhone(account));
    expect(statSync(journal).size).toBe(size);
    limitFiles(shared, "unlimited");
    ids.push((await startPhone(account)).body.id);
    await expectExactly(account, ids);
    const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => Array.isArray(JSON.parse(line)))).not.toContain(false);
  });
});

test.runIf(diskCanBeFull)(
  "a snapshot that cannot bring its document up to date says that nothing was folded, and succeeds when there is space",
  async () => {
    const account = shared.account("svc_test_folded");
    const { id } = (await startPhone(account)).body;
    const fold = () => call(account, "GET", "/_sandbox/snapshot?fold=true");
    limitFiles(shared, 1);
    const refused = await fold();
    expectUnavailable(refused);
    expect(refused.body.error.message).toContain("nothing was folded");
    expect(refused.body.error.message).not.toContain(sharedFolder);
    limitFiles(shared, "unlimited");
    const later = (await startPhone(account)).body.id;
    expect((await fold()).status).toBe(200);
    const document = JSON.parse(readFileSync(documentOf(sharedFolder, account.key), "utf8"));
    expect(Object.keys(document.phone_verification)).toEqual([id, later]);
  },
);

test.runIf(process.platform === "linux")(
  "an account whose first line cannot be written starts empty when there is space",
  async () => {
    const account = shared.account("svc_live_first_line");
    expect((await call(account, "GET", "/v1/balance")).status).toBe(200);
    mkdirSync(accountFile(sharedFolder, account.key), { recursive: true });
    symlinkSync("/dev/full", journalOf(sharedFolder, account.key));
    expectUnavailable(await startPhone(account));
    rmSync(journalOf(sharedFolder, account.key));
    const reply = await startPhone(account);
    expect([reply.status, reply.body.is_test]).toEqual([201, false]);
    await expectExactly(account, [reply.body.id]);
  },
);

test.runIf(diskCanBeFull)("a first start is refused, and succeeds when there is space", async () => {
  const folder = freshFolder();
  const { status, stderr } = startWithoutRoom(folder);
  expect(status).toBe(2);
  expect(stderr).toContain("cannot be written (EFBIG");
  const sandbox = await openOn(folder);
  expect((await startPhone(sandbox.account(key))).status).toBe(201);
});

test("an empty standin.json, as left by earlier versions, is rewritten", async () => {
  const folder = freshFolder();
  mkdirSync(join(folder, "accounts"));
  writeFileSync(join(folder, "standin.json"), "");
  await openOn(folder);
  expect(readFileSync(join(folder, "standin.json"), "utf8")).toContain(`{"format":${folderFormat},`);
});

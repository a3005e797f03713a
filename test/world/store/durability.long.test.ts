import { expect, test } from "vitest";
import { freshFolder, startOn } from "../../support/folder.js";
import type { Program } from "../../support/program.js";
import { repetitions } from "../../support/repetitions.js";
import { startPhone } from "../../support/sandbox.js";

const keys = Array.from({ length: 4 }, (_, i) => `svc_test_stream_${i}`);

interface Acknowledged {
  key: string;
  id: string;
}

/** Runs clients that write until the process is gone; `stop` kills it at a different moment each time. */
async function writeUntilKilled(program: Program, killAfter: number): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  let killed: Promise<unknown> | null = null;
  const client = async (key: string) => {
    const account = program.account(key);
    try {
      for (;;) {
        const reply = await startPhone(account);
        if (reply.status === 201) acknowledged.push({ key, id: reply.body.id });
        if (acknowledged.length >= killAfter) killed ??= program.stop("SIGKILL");
      }
    } catch (error) {
      // The connection broke, so the request in progress was never acknowledged.
      if (!killed) throw error;
    }
  };
  await Promise.all([...keys, ...keys].map(client));
  await killed;
  return acknowledged;
}

/** Repeats write, kill and restart on one folder, and checks everything again at the end. */
async function killAndRestart(rounds: number, ...flags: string[]): Promise<void> {
  const folder = freshFolder();
  const everything: Acknowledged[] = [];
  let program = await startOn(folder, ...flags);
  const expectAll = (acknowledged: readonly Acknowledged[]) =>
    Promise.all(
      acknowledged.map(async ({ key, id }) => {
        expect((await program.account(key).records.get(id)).state).toBe("pending");
      }),
    );
  for (let round = 0; round < rounds; round++) {
    const acknowledged = await writeUntilKilled(program, 1 + ((round * 7) % 20));
    program = await startOn(folder, ...flags);
    await expectAll(acknowledged);
    everything.push(...acknowledged);
  }
  await expectAll(everything);
  for (const key of keys) {
    const kept = everything.filter((entry) => entry.key === key).length;
    const messages = await program.account(key).inbox.list();
    expect(messages.length).toBeGreaterThanOrEqual(kept);
    // Charge, record and message are one commit, so each stored verification was paid for once.
    expect((await program.account(key).update({})).balance).toBe(1_000_000 - 6 * messages.length);
  }
  expect(await program.stop()).toBe(0);
}

test("nothing acknowledged is lost when the process is killed during writes", () =>
  killAndRestart(repetitions(2, 100)));

test("the same with --durability power", () => killAndRestart(repetitions(1, 20), "--durability", "power"));

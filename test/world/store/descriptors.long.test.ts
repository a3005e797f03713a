import { expect, onTestFinished, test } from "vitest";
import { diskCanBeFull } from "../../support/disk.js";
import { freshFolder } from "../../support/folder.js";
import { startProgram } from "../../support/program.js";
import { startReceiver } from "../../support/receiver.js";
import { isLong } from "../../support/repetitions.js";
import { openWorld } from "../../support/world.js";

/** There are more accounts than files that the program may open. The long run has the usual limit of Linux. */
const [descriptors, accounts] = isLong ? [1_024, 1_500] : [640, 720];

test.runIf(diskCanBeFull)(
  `with ${descriptors} file descriptors, pending deliveries of ${accounts} accounts are all made after a start`,
  async () => {
    const folder = freshFolder();
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    // This world sends nothing, and its deliveries are still pending when it closes.
    const first = openWorld(folder, { deliver: () => new Promise(() => {}) });
    const stored: (Promise<void> | null)[] = [];
    for (let i = 0; i < accounts; i++) {
      const account = await first.account(`svc_test_pending_${i}`);
      account.commit("api", () => {
        const endpoint = { id: "we_1", url: `${receiver.url}/${i}`, events: ["*"], description: null };
        account.outbox.save({ ...endpoint, created_at: account.clock.iso() });
        account.outbox.emit("payout.paid", {});
      });
      stored.push(account.safe());
    }
    await Promise.all(stored);
    await first.close();
    const program = await startProgram(["--data", folder], folder, [
      "prlimit",
      `--nofile=${descriptors}:${descriptors}`,
    ]);
    onTestFinished(async () => void (await program.stop("SIGKILL")));
    const received = await receiver.got(accounts);
    expect(new Set(received.map(({ path }) => path)).size).toBe(accounts);
    expect(program.stderr()).toBe("");
  },
);

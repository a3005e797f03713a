import { expect, onTestFinished, test } from "vitest";
import type { SandboxAccount } from "../../../src/client/account/account.js";
import { startReceiver } from "../../support/receiver.js";
import { repetitions } from "../../support/repetitions.js";
import { until } from "../../support/until.js";
import { useProgram } from "../use-program.js";
import { listen } from "./listening.js";

const program = useProgram();
const events = 40;
const lost = "the listener of relay:killed disconnected before it answered";

const listenTo = (account: SandboxAccount, url: string) => listen(account, url, "--relay", "killed");

test.each(Array.from({ length: repetitions(1, 20) }, (_, index) => [index]))(
  "a killed listener loses nothing, and only deliveries that it had not answered are repeated (round %i)",
  async (round) => {
    const account = program.account();
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const first = await listenTo(account, receiver.url);
    const killed = receiver.got(1 + ((7 * round) % (events / 2))).then(() => {
      first.child.kill("SIGKILL");
      return first.exitCode;
    });
    await Promise.all(Array.from({ length: events }, () => account.events.trigger("payout.paid")));
    await killed;
    await listenTo(account, receiver.url);
    const deliveries = await until("all deliveries have succeeded", async () => {
      await account.advance("31m");
      const all = await account.deliveries.list();
      return all.every(({ status }) => status === "succeeded") && all;
    });
    expect(deliveries).toHaveLength(events);
    const ids = receiver.received.map(({ body }) => JSON.parse(body.toString()).id);
    for (const { event_id, attempts } of deliveries) {
      const arrivals = ids.filter((id) => id === event_id).length;
      const unanswered = attempts.filter(({ error }) => error === lost).length;
      expect(arrivals).toBeGreaterThanOrEqual(1);
      expect(arrivals).toBeLessThanOrEqual(1 + unanswered);
    }
  },
);

/** A second sandbox that plays the real service, and what a tester has at hand there. */
import { groups } from "../../src/drift/groups.js";
import { openWebhookReceiver, type WebhookReceiver } from "../../src/drift/receiver.js";
import type { DriftMeans } from "../../src/drift/run-drift.js";
import { ServiceClient } from "../../src/drift/service-client.js";
import { countedTime } from "../../src/drift/side.js";
import type { SandboxAccount } from "../../src/index.js";
import type { Assumptions } from "../../src/service/assumptions.js";
import { resolveAssumptions } from "../../src/service/assumptions.js";
import { openShop } from "../service/business/shop.js";

/** The limits of a run that nothing exceeds. */
export const limits = { maxCalls: 2_000, maxCost: 100_000, waitMs: 600_000 };

/** What a run can do against a second sandbox: everything that takes little time. */
export const everything = {
  only: groups,
  live: false,
  slow: false,
  receives: true,
  maxPassMs: Number.POSITIVE_INFINITY,
};

export const defaults: Assumptions = resolveAssumptions();

/** Number of references that the runs of a file have used, so that no two runs share one. */
let references = 0;

/** Returns the means of a run against an account whose clock a wait advances. */
export async function meansFor(
  account: SandboxAccount,
  baseUrl = account.baseUrl,
): Promise<DriftMeans & { receiver: WebhookReceiver }> {
  const sleep = async (ms: number) => void (await account.advance(`${ms}ms`));
  return {
    service: new ServiceClient({ baseUrl, key: account.key, paceMs: 0, maxCalls: 2_000, sleep }),
    phone: "+2348031234567",
    waitMs: 600_000,
    ...countedTime(sleep),
    receiver: await openWebhookReceiver(),
    webhookSecret: null,
    reference: () => `standin-drift-${++references}`,
    async readCode({ to }) {
      const [newest] = await account.inbox.list({ to });
      return newest?.codes[0] as string;
    },
    async answer({ channel, from, text }) {
      await account.inbox.reply({ channel_id: channel, from, text });
    },
  };
}

/** Receives a payment and pays out its money, for the probe of refunds. */
export async function payOutMoney(account: SandboxAccount): Promise<void> {
  const shop = await openShop(account);
  await shop.settledTransfer(10_000);
  await shop.setPayoutAccount();
  await shop.payout(9_900);
  await account.advance("1m");
}

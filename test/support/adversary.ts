/** An account with a rule that disturbs its webhook deliveries, and the receiver of them. */
import { onTestFinished } from "vitest";
import type { Adversity, EventKind, RuleInput, SandboxAccount } from "../../src/index.js";
import { expectedSignature, type Received, type Receiver, startReceiver } from "./receiver.js";
import { post } from "./sandbox.js";

export const frozenAt = "2030-01-01T00:00:00.000Z";

/** Closed at the end of the test. */
export async function openReceiver(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...args);
  onTestFinished(() => started.close());
  return started;
}

export const register = async (
  account: SandboxAccount,
  url: string,
): Promise<{ id: string; secret: string }> => (await post(account, "/v1/webhooks", { url })).body;

/** Gives a new account an endpoint and a rule. Its clock is frozen unless it is set to run. */
export async function makeAdverse(
  account: SandboxAccount,
  webhook: Adversity,
  more: Partial<RuleInput> = {},
  running = false,
) {
  if (!running) await account.clock.freeze(frozenAt);
  const hook = await openReceiver();
  const { secret } = await register(account, hook.url);
  const rule = await account.rules.add({ on: "webhooks", webhook, ...more });
  return { account, hook, secret, rule };
}

/** Triggers the event with this number in its data. */
export const trigger = (account: SandboxAccount, number: number, event: EventKind = "payout.paid") =>
  account.events.trigger(event, { number });

export const numbers = ({ received }: Receiver): number[] =>
  received.map(({ body }) => JSON.parse(String(body)).data.number);

export const isGenuine = ({ body, headers }: Received, secret: string): boolean =>
  headers["x-service-signature"] === expectedSignature(body, secret);

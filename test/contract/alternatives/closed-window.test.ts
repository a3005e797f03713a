import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { post, useSandbox } from "../../support/sandbox.js";
import { named } from "./asking.js";
import { useContract } from "./served-contract.js";
import { useAlternative } from "./use-alternative.js";

const send = named("sendChannelMessage");
const person = "2348031234567";

/** Sends a text to the person on the account's channel. */
async function sendText(account: SandboxAccount, headers: Record<string, string> = {}) {
  const [channel] = (await (await account.fetch("/v1/wa/channels")).json()) as [{ id: string }];
  const answer = (text: string) => account.inbox.reply({ channel_id: channel.id, from: person, text });
  const reply = () =>
    post(account, `/v1/wa/channels/${channel.id}/send`, { to: person, text: "Hello" }, headers);
  return { answer, reply };
}

describe("channels.closed_window=refused", () => {
  const sandbox = useAlternative("channels.closed_window", "refused");
  const contract = useContract(sandbox);

  test("a message to a person who has not written, or not lately, is refused, and nobody gets it", async () => {
    const account = sandbox.account();
    const { answer, reply } = await sendText(account);
    const refusal = { status: 422, body: { error: { code: "reply_window_closed", param: "to" } } };
    expect(await reply()).toMatchObject(refusal);
    expect(await account.inbox.list({ to: person })).toEqual([]);
    await answer("Hi");
    expect(await reply()).toMatchObject({ status: 200, body: { sent: 1, session_active: true } });
    await account.advance("72h");
    expect(await reply()).toMatchObject(refusal);
  });

  test("the outcome window_closed is refused as well, and a number that is not on the app is not", async () => {
    const closed = await sendText(sandbox.account(), { "X-Sandbox-Outcome": "window_closed" });
    expect((await closed.reply()).status).toBe(422);
    const unknown = await sendText(sandbox.account(), { "X-Sandbox-Outcome": "not_on_app" });
    expect(await unknown.reply()).toMatchObject({ status: 200, body: { sent: 0, session_active: false } });
  });

  test("the contract of the message has the error", () => {
    expect(contract().codes(send, 422)).toContain("reply_window_closed");
  });
});

describe("channels.closed_window=answered, the default", () => {
  const sandbox = useSandbox();
  const contract = useContract(sandbox);

  test("the reply counts no message, and the contract does not have the error", async () => {
    const { reply } = await sendText(sandbox.account());
    expect(await reply()).toMatchObject({ status: 200, body: { sent: 0, session_active: false } });
    expect(contract().statuses(send)).not.toContain(422);
  });
});

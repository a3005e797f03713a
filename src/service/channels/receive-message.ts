/** What happens when a person writes to a channel. */
import type { Account } from "../../world/account.js";
import type { Message } from "../../world/inbox.js";
import { connectedChannel } from "./account-channels.js";
import { type Chat, chatWith, saveChat } from "./chats.js";
import { expireIfDue } from "./machines/expiry.js";
import { type IdentityCheckRecord, identityCheck } from "./machines/identity-check.js";

/** Assumption identity.several: the newest question that is still open, then the one before it. */
function openQuestion({ question_id }: Chat, account: Account): IdentityCheckRecord | null {
  for (let id = question_id; id !== null; ) {
    const asked = account.records.get(identityCheck, id);
    if (!asked) return null;
    if (expireIfDue(account, identityCheck, asked).state === "pending") return asked;
    id = asked.previous;
  }
  return null;
}

/** Inside a commit: the message is kept, opens the reply window and answers an open question. */
export function personWrites(account: Account, channelId: string, from: string, text: string): Message {
  const { id } = connectedChannel(account, channelId);
  const message = account.inbox.receive({ channel_id: id, from, text });
  const chat = chatWith(account, id, from);
  const question = openQuestion(chat, account);
  // Questions that are over are not looked at again.
  saveChat(account, id, from, {
    ...chat,
    last_message_at: account.clock.now(),
    question_id: question?.id ?? null,
  });
  if (question) account.records.move(identityCheck, question, "answer", { text });
  return message;
}

/** Receives messages that people write to a channel. */
import type { Account } from "../../world/account/account.js";
import type { Message } from "../../world/account/inbox.js";
import { expireIfDue } from "../account-records.js";
import { requireConnectedChannel } from "./account-channels.js";
import { type Chat, chatWith, saveChat } from "./chats.js";
import { type IdentityCheckRecord, identityCheck } from "./machines/identity-check.js";

/** Returns the newest question that is still open; assumption identity.several. */
function findOpenQuestion({ question_id }: Chat, account: Account): IdentityCheckRecord | null {
  for (let id = question_id; id !== null; ) {
    const asked = account.records.get(identityCheck, id);
    if (!asked) return null;
    if (expireIfDue(account, identityCheck, asked).state === "pending") return asked;
    id = asked.previous;
  }
  return null;
}

/**
 * Stores the message, opens the reply window and answers an open question. The text of an answer is not stored, as it may
 * be the expected one. Call inside a commit.
 */
export function receiveMessage(account: Account, channelId: string, from: string, text: string): Message {
  const { id } = requireConnectedChannel(account, channelId);
  const chat = chatWith(account, id, from);
  const question = findOpenQuestion(chat, account);
  const stored = question ? `[answer to ${question.id}]` : text;
  const message = account.inbox.receive({ channel_id: id, from, text, stored });
  // Questions that have ended are dropped from the chat.
  saveChat(account, id, from, {
    ...chat,
    last_message_at: account.clock.now(),
    question_id: question?.id ?? null,
  });
  if (question) account.records.move(identityCheck, question, "answer", text);
  return message;
}

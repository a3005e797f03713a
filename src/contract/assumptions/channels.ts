import type { Assumption } from "../assumptions.js";
import { facts } from "./facts.js";

/** Interface: "Messaging-app channels". */
export const channelRows = [
  {
    id: "channels.states",
    question: "What do creating and connecting a channel answer, and which states does a channel go through?",
    default: facts(
      "`disconnected` → `connecting` (QR payload and pairing code, 60 s) → `connected`.",
      "Creating: `{id,label,phone:null,status,created_at}`.",
      "Connecting: `{id,status,qr:{code,image,expires_at},pairing_code}`.",
    ),
    reason:
      "A number is linked by scanning a code from the messaging app, and such codes live about a minute.",
  },
  {
    id: "channels.default",
    question: "Which channels does a new account have?",
    default: 'One connected channel, label "Main line", so that the group works at once.',
    reason: "Numbers are linked in the dashboard, before the API is used.",
  },
  {
    id: "channels.send",
    question: "How are images and documents sent, and what does a message outside the reply window answer?",
    default: facts(
      "Exactly one of `text`, `image:{link,caption?}`, `document:{link,filename,caption?}`.",
      "Window closed: `{sent:0,session_active:false}`.",
    ),
    reason:
      "Messaging-app APIs take media by link, and the reply has a count and whether the session is active.",
  },
  {
    id: "channels.window",
    question: "Which plan has which reply window, and over what are the caps counted?",
    default: facts(
      "starter 24 h, growth 48 h, business 72 h since the person's last message.",
      "Codes and identity questions are exempt.",
      "Caps are rolling windows per account and recipient.",
    ),
    reason: "The interface gives 24 to 72 hours depending on the plan, and codes work for any number.",
  },
  {
    id: "message_code.states",
    question: "Which statuses has a messaging code beside pending, and what does a second code do?",
    default: facts(
      "`pending`, `verified`, `locked`, `expired`.",
      "A new code replaces the pending one for that number.",
      "Used, replaced or never sent: `no_pending_code`.",
    ),
    reason: "They are the states behind the documented reasons of a failed check.",
  },
  {
    id: "message_code.daily_cap",
    question: "How many messaging codes a day does each plan include?",
    default: "starter none (plan gated), growth 250, business 1,000.",
    reason: "The interface says that there is a cap per plan; these are round numbers that a test can reach.",
  },
  {
    id: "identity.defaults",
    question:
      "What are the defaults of an identity question, how is the answer compared and where does its event go?",
    default: facts(
      "`ttl_minutes` is 60 and `max_attempts` 3.",
      "Answers are compared after NFC, case folding and removal of `\\p{P}` and `\\p{Z}`; diacritics count.",
      "A verified, failed or expired check sends `verification` when the channel has a website.",
      "The website is set with the move `connect_website {url}`; by default there is none.",
      "The event goes to that URL and to subscribed endpoints, signed with the same secret.",
    ),
    reason: "The interface ignores capitals, spaces and punctuation, and says nothing of accents.",
    switch: {
      default: "diacritics_count",
      alternatives: { folded: "diacritics are removed too, so that `Adé` equals `Ade`" },
    },
  },
] as const satisfies readonly Assumption[];

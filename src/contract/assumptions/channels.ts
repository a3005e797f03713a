import { type Assumption, facts } from "./assumption.js";

/** Interface: "Messaging-app channels". */
export const channelRows = [
  {
    id: "channels.states",
    question: "What do creating and connecting a channel answer, and which states does a channel go through?",
    default: facts(
      "`disconnected` → `connecting` (QR payload and pairing code, 60 s) → `connected`; a code that nobody scanned leaves it `disconnected`.",
      "Creating: `{id,label,phone:null,status,created_at}`.",
      "Connecting: `{id,status,qr:{code,image,expires_at},pairing_code}`; `image` is a QR code as an SVG in a data URI, and says `code`.",
      "Connecting again while a code is open answers with that code; on a connected channel it is 409 `invalid_state`.",
      "The person's side is the move `scan {phone?}`; a channel that is disconnected keeps its number until another one scans.",
    ),
    reason:
      "A number is linked by scanning a code from the messaging app, and such codes live about a minute.",
  },
  {
    id: "channels.default",
    question: "Which channels does a new account have?",
    default: facts(
      'One connected channel, label "Main line", so that the group works at once.',
      "Its id and number come of the key and the seed; they are the same after a reset.",
    ),
    reason: "Numbers are linked in the dashboard, before the API is used.",
  },
  {
    id: "channels.send",
    question: "How are images and documents sent, and what does a message outside the reply window answer?",
    default: facts(
      "Exactly one of `text`, `image:{link,caption?}`, `document:{link,filename,caption?}`; links are http or https and are not fetched.",
      "Window closed, or a number that is not on the messaging app: `{sent:0,session_active:false}`.",
    ),
    reason:
      "Messaging-app APIs take media by link, and the reply has a count and whether the session is active.",
  },
  {
    id: "channels.sizes",
    question: "How long may labels, messages and questions be?",
    default: facts(
      "A label and a brand 100 characters, a text and a question 4,096, a caption 1,024, a file name 255, a link 2,048.",
      "Above that 400 `validation_error`.",
    ),
    reason: "They are the lengths that messaging apps carry.",
  },
  {
    id: "channels.window",
    question: "Which plan has which reply window, and over what are the caps counted?",
    default: facts(
      "starter 24 h, growth 48 h, business 72 h since the person's last message to that channel, by the plan that the account has when it sends.",
      "When exactly that time has passed, the window is closed.",
      "Codes and identity questions are exempt.",
      "Caps are rolling windows per account and recipient.",
    ),
    reason: "The interface gives 24 to 72 hours depending on the plan, and codes work for any number.",
  },
  {
    id: "message_code.states",
    question: "Which statuses has a messaging code beside pending, and what does a second code do?",
    default: facts(
      "`pending`, `verified`, `locked`, `expired`, `replaced`.",
      "A new code replaces the pending one for that number on that channel.",
      "Used, replaced or never sent: `no_pending_code`, and no try is counted.",
      "The fifth wrong try is still answered with `wrong_code`, every later one with `too_many_attempts`.",
      "`reference` is that of the code that was tried, null with `no_pending_code`.",
    ),
    reason: "They are the states behind the documented reasons of a failed check.",
  },
  {
    id: "message_code.text",
    question:
      "How many digits has a messaging code where the caller does not say, and what does its message say?",
    default: facts(
      "6 digits, as an SMS code has; never all zeros.",
      "`482913 is your Ada Stores code. It expires in 10 minutes.`, with `brand`; `482913 is your code. …` without.",
    ),
    reason: "The interface gives six digits for SMS codes and 4 to 8 for these.",
  },
  {
    id: "message_code.limits",
    question: "When exactly is a further code accepted, and which limit is named when several are reached?",
    default: facts(
      "When exactly an hour, or a day, has passed since the code that must be out of the window; refused codes do not count.",
      "`Retry-After` is in whole seconds of the account's clock, rounded up; the limit that holds longest is named.",
      "A code that never arrives, since the number is not on the messaging app, counts as well.",
    ),
    reason: "After `Retry-After`, a client must be able to send.",
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
      "`ttl_minutes` is 60, at most 10,080 (a week), and `max_attempts` 3; `attempts` counts every answer, the right one too.",
      "Answers are compared after NFC, case folding and removal of `\\p{P}` and `\\p{Z}`; diacritics count.",
      "A verified, failed or expired check sends `verification` when the channel has a website.",
      "The website is set with the move `connect_website {url}`, and taken away with `{url:null}`; by default there is none.",
      "The event goes to that URL and to subscribed endpoints, signed with the same secret, and to one that is both once; in the delivery log the website's `endpoint_id` is the channel's id.",
    ),
    reason: "The interface ignores capitals, spaces and punctuation, and says nothing of accents.",
    switch: {
      default: "diacritics_count",
      alternatives: { folded: "diacritics are removed too, so that `Adé` equals `Ade`" },
    },
  },
  {
    id: "identity.answers",
    question: "What exactly is a capital letter, a space or punctuation in an answer?",
    default: facts(
      "All is compared in capitals: ß is ss, ς is σ, and I, İ, ı and i are one, since a text does not tell whether it is Turkish.",
      "Apostrophes count as punctuation in whatever way they are typed (U+02B9, U+02BB, U+02BC, U+02C8, grave and acute accent standing alone); line breaks, tabs and invisible characters as spaces.",
      "`expected` must have something that counts, else 400 `validation_error`.",
    ),
    reason:
      "What a person types on a phone depends on its keyboard, and none of it is what the question is about.",
  },
  {
    id: "identity.several",
    question: "Which question does a person answer who was asked several on one channel?",
    default: "The newest that is still open; once it has ended, the one before it.",
    reason: "An answer in a chat is read as one to what was asked last.",
  },
] as const satisfies readonly Assumption[];

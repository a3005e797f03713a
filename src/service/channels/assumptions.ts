import { type Assumption, facts } from "../../contract/assumptions/assumption.js";

/** Behaviour that the interface leaves open under "Messaging-app channels". */
export const channelRows = [
  {
    id: "channels.states",
    question:
      "What are the replies to creating and connecting a channel, and which states does a channel have?",
    default: facts(
      "`disconnected` → `connecting` (QR code and pairing code, valid for 60 s) → `connected`; if nobody scans the code, the channel returns to `disconnected`.",
      "Reply to creating: `{id,label,phone:null,status,created_at}`.",
      "Reply to connecting: `{id,status,qr:{code,image,expires_at},pairing_code}`; `image` is the QR code of `code`, as an SVG in a data URI.",
      "Connecting again while a code is valid returns that code; on a connected channel it gets 409 `invalid_state`.",
      "The move `scan {phone?}` stands for the person who scans; a disconnected channel keeps its number until another one scans.",
    ),
    reason:
      "A number is linked by scanning a code with the messaging app, and such codes are valid for about a minute.",
  },
  {
    id: "channels.default",
    question: "Which channels does a new account have?",
    default: facts(
      'One connected channel with the label "Main line", so that the channel operations work at once.',
      "Its id and number derive from the API key and the seed, so they are the same after a reset.",
    ),
    reason: "Numbers are linked in the dashboard, before the API is used.",
  },
  {
    id: "channels.send",
    question:
      "How are images and documents sent, and what is the reply if the number is not on the messaging app?",
    default: facts(
      "Exactly one of `text`, `image:{link,caption?}` and `document:{link,filename,caption?}`; links are http or https URLs and are not fetched.",
      "If the number is not on the messaging app: `{sent:0,session_active:false}`.",
    ),
    reason:
      "Messaging APIs take media by link, and the reply has a count and says whether the session is active.",
  },
  {
    id: "channels.closed_window",
    question: "What is the reply to a message to a person whose reply window is closed?",
    default: "200 with `{sent:0,session_active:false}`; the person gets nothing.",
    reason:
      "The reply has a count and says whether the session is active, which it would not need otherwise.",
    switch: {
      default: "answered",
      alternatives: { refused: "422 `reply_window_closed`" },
    },
  },
  {
    id: "channels.numbers",
    question: "What is a valid `to`?",
    default:
      "8 to 15 digits with the country code, not starting with 0, without a plus sign, spaces or hyphens; anything else gets 400 `invalid_phone`.",
    reason: "The interface says digits with country code, and E.164 numbers have at most 15 digits.",
  },
  {
    id: "channels.sizes",
    question: "How long can labels, messages and questions be?",
    default: facts(
      "Label and brand: 100 characters; text and question: 4,096; caption: 1,024; file name: 255; link: 2,048.",
      "Longer ones get 400 `validation_error`.",
    ),
    reason: "These are limits of messaging apps.",
  },
  {
    id: "channels.window",
    question: "Which plan has which reply window, and how are the caps counted?",
    default: facts(
      "starter 24 h, growth 48 h, business 72 h after the person's last message to that channel, by the account's plan at the time of sending.",
      "The window is closed once exactly that time has passed.",
      "Codes and identity questions are exempt.",
      "Caps are rolling windows per account and recipient.",
    ),
    reason: "The interface says 24 to 72 hours depending on the plan, and codes work for any number.",
  },
  {
    id: "message_code.states",
    question:
      "Which statuses does a messaging code have besides pending, and what does a second code change?",
    default: facts(
      "`pending`, `verified`, `locked`, `expired` and `replaced`.",
      "A new code replaces the pending one of that number on that channel.",
      "A check without a pending code (used, replaced or never sent) gets `no_pending_code` and does not count as an attempt.",
      "The fifth wrong attempt still gets `wrong_code`, every later one `too_many_attempts`.",
      "`reference` is the reference of the checked code, or null with `no_pending_code`.",
    ),
    reason: "These states follow from the documented reasons of a failed check.",
  },
  {
    id: "message_code.text",
    question: "How many digits does a messaging code have by default, and what is the text of its message?",
    default: facts(
      "6 digits, as SMS codes have; never only zeros.",
      "With `brand`: `482913 is your Ada Stores code. It expires in 10 minutes.`; without: `482913 is your code. …`.",
    ),
    reason: "The interface gives six digits for SMS codes and 4 to 8 for messaging codes.",
  },
  {
    id: "message_code.limits",
    question: "When exactly is another code accepted, and which limit is reported if several are reached?",
    default: facts(
      "Once exactly an hour, or a day, has passed since the code that has to leave the window; refused codes do not count.",
      "`Retry-After` is in whole seconds of the account's clock, rounded up; the limit that lasts longest is reported.",
      "A code that cannot arrive, because the number is not on the messaging app, counts too.",
    ),
    reason: "A client that waits for `Retry-After` must then be able to send.",
  },
  {
    id: "message_code.daily_cap",
    question: "How many messaging codes per day does each plan include?",
    default: "starter none (the plan does not include codes), growth 250, business 1,000.",
    reason:
      "The interface says that there is a cap per plan; these are round numbers within reach of a test.",
  },
  {
    id: "identity.defaults",
    question:
      "What are the defaults of an identity question, how are answers compared, and where is the event sent?",
    default: facts(
      "`ttl_minutes` is 60 by default and at most 10,080 (a week); `max_attempts` is 3 by default; `attempts` counts every answer, including the right one.",
      "Answers are compared after NFC, in capitals (ß equals SS, and İ, I, ı and i are equal), and without anything but letters, marks and digits; apostrophes that Unicode classes as letters are removed as well. Diacritics are significant.",
      "The value in force when a question is asked decides how its answers are compared.",
      "A check that ends as verified, failed or expired sends `verification` if the channel has a website.",
      "The move `connect_website {url}` sets the website, and `{url:null}` removes it; by default there is none.",
      "The event is sent to the website and to subscribed endpoints, signed with the same secret, and only once to a URL that is both; in the delivery log, the website's `endpoint_id` is the id of the channel.",
    ),
    reason: "The interface ignores capital letters, spaces and punctuation, and does not mention accents.",
    switch: {
      default: "diacritics_count",
      alternatives: { folded: "diacritics are removed too, so that `Adé` equals `Ade`" },
    },
  },
  {
    id: "identity.answers",
    question: "What exactly counts as a capital letter, a space or punctuation in an answer?",
    default: facts(
      "Answers are compared in upper case: ß equals ss, ς equals σ, and I, İ, ı and i are equal, since a text does not show whether it is Turkish.",
      "Apostrophes are punctuation in every spelling (U+02B9, U+02BB, U+02BC, U+02C8, and grave and acute accents that stand alone); line breaks, tabs and invisible characters are spaces.",
      "`expected` needs at least one significant character; otherwise it gets 400 `validation_error`.",
    ),
    reason: "Which of these characters a person types depends on the keyboard, not on the answer.",
  },
  {
    id: "identity.several",
    question: "If a person was asked several questions on a channel, which one does an answer belong to?",
    default: "The newest one that is still open; once it has ended, the one before it.",
    reason: "In a chat, people answer the latest question.",
  },
] as const satisfies readonly Assumption[];

import type { Static } from "typebox";
import { operation } from "../operation.js";
import { testValueOutcome } from "../test-values.js";
import { requireConnectedChannel } from "./account-channels.js";
import { chatWith, isWindowOpen } from "./chats.js";
import { ChannelMessageBody, ChannelParams, SentMessage } from "./schemas.js";

const outcomes = {
  sent: "the message is sent, even outside the reply window",
  window_closed: "the person has not written within the reply window: sent 0, session_active false",
  not_on_app: "the number is not on the messaging app: sent 0, session_active false",
};

/** Returns the message as the inbox shows it; files are not fetched. Assumption channels.send. */
function formatContent({ text = "", image, document }: Static<typeof ChannelMessageBody>): string {
  if (image) return withCaption(`[image] ${image.link}`, image);
  return document ? withCaption(`[document ${document.filename}] ${document.link}`, document) : text;
}

const withCaption = (file: string, { caption }: { caption?: string }): string =>
  caption ? `${caption}\n${file}` : file;

export const sendChannelMessage = operation({
  id: "sendChannelMessage",
  route: "POST /v1/wa/channels/{channel_id}/send",
  summary: "Send a message",
  description:
    "Send exactly one of text, image and document; images and documents need the Business plan. Only people who wrote " +
    "within the plan's reply window receive it.",
  auth: "key",
  params: ChannelParams,
  body: ChannelMessageBody,
  reply: { 200: SentMessage },
  refuses: [
    "validation_error",
    "plan_required",
    "resource_not_found",
    "channel_not_connected",
    "reply_window_closed",
  ],
  refusesWhile: [{ assumption: "channels.closed_window", value: "refused", codes: ["reply_window_closed"] }],
  outcomes,
  assumptions: ["channels.send", "channels.window", "channels.default"],

  testValue: ({ body }) => testValueOutcome("sendChannelMessage", "phone", `+${body.to}`),

  handle({ account, assumptions, params, body, decision, refuse }) {
    const { plan } = account.settings;
    if (body.text === undefined && plan !== "business") {
      const message = `Images and documents need the business plan; the account is on ${plan}.`;
      refuse("plan_required", { message, extra: { required_plan: "business" } });
    }
    const { id } = requireConnectedChannel(account, params.channel_id);
    if (decision.by === "default" && !isWindowOpen(account, chatWith(account, id, body.to)))
      decision.outcome = "window_closed";
    if (decision.outcome === "window_closed" && assumptions["channels.closed_window"] === "refused")
      refuse("reply_window_closed", {
        param: "to",
        message: `${body.to} has not written to this channel within the reply window of the ${plan} plan.`,
      });
    if (decision.outcome !== "sent") return { sent: 0, session_active: false };
    account.inbox.send({ channel: "chat", to: body.to, from: id, text: formatContent(body), codes: [] });
    return { sent: 1, session_active: true };
  },
});

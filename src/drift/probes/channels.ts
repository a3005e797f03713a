/** Probe of the answers to identity questions. */
import type { Assumptions } from "../../service/assumptions.js";
import { second } from "../../time/time.js";
import {
  CouldNotCheck,
  isSuccess,
  listIn,
  NotTestable,
  type ServiceReply,
  valueIn,
} from "../service-client.js";
import { idIn } from "./phone.js";
import { type Probe, poll } from "./probe.js";

const pollIntervalMs = 2 * second;
const maxPolls = 16;

/** Returns the id of a connected channel in a list of channels, or throws NotTestable. */
export function connectedIn(reply: ServiceReply): string {
  const connected = listIn(reply).find(({ status }) => status === "connected");
  if (!connected) throw new NotTestable("needs a connected channel; link a number in the dashboard");
  return String(connected.id);
}

/** The expected answer has a diacritic, and the person answers without it. */
export const identityDefaults: Probe<Assumptions["identity.defaults"]> = {
  group: "channels",
  calls: 2 + maxPolls,
  async observe(context) {
    const { service, phone, answer, sleep, waitMs } = context;
    if (!answer) throw new NotTestable("needs an answer of a person; pass --reply-cmd");
    const channel_id = connectedIn(await service.call("listChannels"));
    const to = phone.replace("+", "");
    const body = { to, question: "What is your first name?", expected: "Adé", max_attempts: 2 };
    const started = await service.call("startIdentityCheck", { params: { channel_id }, body });
    const verification_id = idIn(started);
    await answer({ channel: channel_id, from: to, text: "Ade" });
    const limitMs = Math.min(waitMs, (maxPolls - 1) * pollIntervalMs);
    const counted = await poll({ waitMs: limitMs, sleep }, pollIntervalMs, async () => {
      const reply = await service.call("getIdentityCheck", { params: { channel_id, verification_id } });
      return isAnswered(reply) ? reply : null;
    });
    if (!counted)
      throw new CouldNotCheck("the answer that --reply-cmd sent has not arrived; pass a longer --wait");
    const status = valueIn(counted, "status");
    const value = status === "verified" ? "folded" : status === "pending" ? "diacritics_count" : null;
    return {
      value,
      replies: [started, counted],
      note: `the answer without its accent leaves it ${String(status)}`,
    };
  },
};

const isAnswered = (reply: ServiceReply): boolean =>
  valueIn(reply, "status") !== "pending" || Number(valueIn(reply, "attempts")) > 0;

/** A number to which no test has ever written, and which has not written either. */
const silentNumber = "2348199900917";

export const channelsClosedWindow: Probe<Assumptions["channels.closed_window"]> = {
  group: "channels",
  calls: 2,
  async observe({ service }) {
    const channel_id = connectedIn(await service.call("listChannels"));
    const body = { to: silentNumber, text: "Standin drift" };
    const sent = await service.call("sendChannelMessage", { params: { channel_id }, body });
    const isAnswered = isSuccess(sent) && valueIn(sent, "sent") === 0;
    const isRefused = sent.status >= 400 && sent.status < 500;
    return { value: isAnswered ? "answered" : isRefused ? "refused" : null, replies: [sent] };
  },
};

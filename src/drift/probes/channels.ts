/** Probes of the answers to identity questions, and of messages to people who have not written. */
import { second } from "../../time/time.js";
import { connectedChannel } from "../records.js";
import {
  CouldNotCheck,
  isRefusal,
  isSuccess,
  NotTestable,
  type ServiceReply,
  valueIn,
} from "../service-client.js";
import { idIn, poll } from "../side.js";
import { ofReply, type Probes } from "./probe.js";

const intervalMs = 2 * second;
const maxPolls = 16;

const isAnswered = (reply: ServiceReply): boolean =>
  valueIn(reply, "status") !== "pending" || Number(valueIn(reply, "attempts")) > 0;

/** A number that has exchanged messages with no test. */
const silentNumber = "2348199900917";

export const channelProbes = {
  "channels.closed_window": ofReply(
    { group: "channels", calls: 2 },
    async (side) =>
      side.service.call("sendChannelMessage", {
        params: { channel_id: await connectedChannel(side) },
        body: { to: silentNumber, text: "Standin drift" },
      }),
    (sent) => {
      const isUnsent = isSuccess(sent) && valueIn(sent, "sent") === 0;
      return { value: isUnsent ? "answered" : isRefusal(sent) ? "refused" : null };
    },
  ),

  /** The expected answer has a diacritic, and the person answers without it. */
  "identity.defaults": {
    group: "channels",
    calls: 2 + maxPolls,
    async observe(side) {
      const { service, phone, answer, waitMs } = side;
      if (!answer) throw new NotTestable("needs an answer of a person; pass --reply-cmd");
      const channel_id = await connectedChannel(side);
      const to = phone.replace("+", "");
      const body = { to, question: "What is your first name?", expected: "Adé", max_attempts: 2 };
      const started = await service.call("startIdentityCheck", { params: { channel_id }, body });
      const verification_id = idIn(started);
      await answer({ channel: channel_id, from: to, text: "Ade" });
      const waiting = { waitMs: Math.min(waitMs, (maxPolls - 1) * intervalMs), intervalMs };
      const counted = await poll(side, waiting, async () => {
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
  },
} satisfies Partial<Probes>;

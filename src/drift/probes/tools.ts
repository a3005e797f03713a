/** Probes of the units of upload limits, of pictures without a plain background, and of deep audits that fail. */
import { minute, second } from "../../time/time.js";
import { pixel } from "../records.js";
import { CouldNotCheck, isRefusal, NotTestable, type ServiceReply, valueIn } from "../service-client.js";
import { type DriftSide, idIn, poll } from "../side.js";
import { byAnswer, ofReply, type Probes } from "./probe.js";

/** The interface limits pictures of this operation to 15 MB. */
const removeBackground = (
  { service }: DriftSide,
  picture: Uint8Array<ArrayBuffer>[],
): Promise<ServiceReply> =>
  service.call("removeBackground", {
    files: { file: new File(picture, "standin-drift.png", { type: "image/png" }) },
  });

/** Sends a picture of this size. */
const upload = (side: DriftSide, bytes: number): Promise<ServiceReply> =>
  removeBackground(side, [pixel, new Uint8Array(bytes - pixel.length)]);

/** File sizes just over the limit: in both MiB and MB, and in MB alone. */
const oversizeBytes = 15 * 1024 * 1024 + 1024;
const betweenUnitsBytes = 15_360_000;

/** A PNG of squares in five colours, in which nothing stands out. */
const squares = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAADAAAAAwCAMAAABg3Am1AAAAD1BMVEXo4NA/XTonM03ZoFuMOyoeBPbNAAAACXBIWXMAAAPoAAAD" +
    "6AG1e1JrAAAAgElEQVRIx82VUQqAMAxDO+f9z2wzGgnitJ/JTyXpEyQU40yN1JGaqUh9eWEIwEAwSgiixIz5ygwBPCBYH5TixBIn" +
    "Fjkdgb+inp4joKXwDbP0WqghoKVgiXNXqCPQOXz1HIHO4WuhjkDn8LVQR6D7I7k9Q6B1+FKoI9A5fC3UELgA0m8RsaMemBEAAAAA" +
    "SUVORK5CYII=",
  "base64",
);

/** A name below .test never exists (RFC 6761). */
const missingSite = { url: "https://deepfail.test", tier: "deep" };

/** A deep audit is expensive, so it is only started if the run can wait for its end. */
const minWaitMs = 5 * minute;
const intervalMs = 30 * second;
const maxPolls = 21;

export const toolProbes = {
  "uploads.megabyte": {
    group: "tools",
    calls: 2,
    async observe(side) {
      const over = await upload(side, oversizeBytes);
      if (!isRefusal(over)) return { value: null, replies: [over], note: "a file over 15 MB is not refused" };
      const reply = await upload(side, betweenUnitsBytes);
      return { value: reply.status === over.status ? "decimal" : "binary", replies: [over, reply] };
    },
  },

  "files.background": ofReply(
    { group: "tools", calls: 1 },
    (side) => removeBackground(side, [squares]),
    byAnswer({ taken: "noted", refused: "refused" }),
  ),

  "audits.failed": {
    group: "audits",
    calls: 1 + maxPolls,
    charges: { audit_deep: 1 },
    minWaitMs,
    async observe(side) {
      const { service, waitMs } = side;
      if (waitMs < minWaitMs) throw new NotTestable("a deep audit takes minutes; pass --wait 5m or more");
      const started = await service.call("createAudit", { body: missingSite });
      if (isRefusal(started))
        throw new NotTestable("the service refuses to audit a site that does not exist");
      const id = idIn(started);
      const waiting = { waitMs: Math.min(waitMs, (maxPolls - 1) * intervalMs), intervalMs };
      const ended = await poll(side, waiting, async () => {
        const reply = await service.call("getAudit", { params: { id } });
        return valueIn(reply, "status") === "pending" ? null : reply;
      });
      if (!ended) throw new CouldNotCheck("the audit is still pending after the wait; pass a longer --wait");
      if (valueIn(ended, "status") !== "failed")
        throw new NotTestable("the service completes the audit of a site that does not exist, so none fails");
      const cost = valueIn(ended, "cost");
      const value = cost === 0 ? "refunded" : typeof cost === "number" && cost > 0 ? "billed" : null;
      return { value, replies: [started, ended], note: `the failed audit costs ${String(cost)}` };
    },
  },
} satisfies Partial<Probes>;

/** Probe of deep audits that fail. */
import type { Assumptions } from "../../service/assumptions.js";
import { minute, second } from "../../time/time.js";
import { CouldNotCheck, NotTestable } from "../outcome.js";
import { isRefusal, valueIn } from "../service-client.js";
import { idIn } from "./phone.js";
import { type Probe, poll } from "./probe.js";

/** A name below .test never exists (RFC 6761). */
const missingSite = { url: "https://deepfail.test", tier: "deep" };

/** A deep audit is expensive, so it is only started if the run can wait for its end. */
const minWaitMs = 5 * minute;
const pollIntervalMs = 30 * second;
const maxPolls = 21;

export const auditsFailed: Probe<Assumptions["audits.failed"]> = {
  group: "audits",
  calls: 1 + maxPolls,
  charges: { audit_deep: 1 },
  minWaitMs,
  async observe({ service, sleep, waitMs }) {
    if (waitMs < minWaitMs) throw new NotTestable("a deep audit takes minutes; pass --wait 5m or more");
    const started = await service.call("createAudit", { body: missingSite });
    if (isRefusal(started)) throw new NotTestable("the service refuses to audit a site that does not exist");
    const id = idIn(started);
    const limitMs = Math.min(waitMs, (maxPolls - 1) * pollIntervalMs);
    const ended = await poll({ waitMs: limitMs, sleep }, pollIntervalMs, async () => {
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
};

import { second } from "../../../time/time.js";
import type { ConductRule, Occasion } from "../rule.js";
import type { ClientCall } from "../traffic.js";

const maxPauseMs = 1 * second;
/** Number of reads in a row, each within `maxPauseMs` of the one before, of which none shows anything new. */
const maxReads = 5;

export const busyPolling: ConductRule = {
  id: "busy-polling",
  title: "A record is read again and again although a webhook tells when it changes",
  reason: "The reads cost time and, at the service, the rate limit; the webhook would come earlier.",
  right: "Wait for the webhook, and poll every few seconds at most as a fallback.",
  needsTime: true,
  judge({ calls, hasEndpoint }) {
    if (!hasEndpoint) return [];
    const found: Occasion[] = [];
    const runs = new Map<string, ClientCall[]>();
    const close = (run: readonly ClientCall[]) => {
      const [first] = run;
      if (!first || run.length < maxReads) return;
      const happened = `${run.length} reads of ${first.entry.path} in a row showed nothing new, less than a second apart.`;
      found.push({ about: first.operation, happened, evidence: run.map(({ id }) => id) });
    };
    for (const call of calls) {
      if (!call.isRead || !call.isTimed || call.status !== 200) continue;
      const run = runs.get(call.entry.path) ?? [];
      const last = run.at(-1);
      const goesOn =
        last && call.entry.reply === last.entry.reply && call.arrivedAt - last.answeredAt < maxPauseMs;
      if (!goesOn) close(run);
      runs.set(call.entry.path, goesOn ? [...run, call] : [call]);
    }
    for (const run of runs.values()) close(run);
    return found;
  },
};

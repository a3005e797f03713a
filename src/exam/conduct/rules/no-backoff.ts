import { second } from "../../../time/time.js";
import type { ConductRule, Occasion } from "../rule.js";
import type { ClientCall } from "../traffic.js";

const maxAttempts = 3;
const windowMs = 1 * second;

export const noBackoff: ConductRule = {
  id: "no-backoff",
  title: "A request is repeated without a pause after 429 or 5xx",
  reason: "A service that is overloaded or down gets more load just then, and every attempt fails alike.",
  right: "Wait before each retry, longer every time, with some chance in it: 1 s, 2 s, 4 s.",
  needsTime: true,
  judge({ calls }) {
    const found: Occasion[] = [];
    for (const attempts of runsOfAttempts(calls)) {
      const [first, last] = [attempts[0], attempts[maxAttempts - 1]];
      if (!first || !last || !first.isTimed || last.arrivedAt - first.answeredAt >= windowMs) continue;
      const happened = `${attempts.length} attempts, ${maxAttempts} of them within a second of status ${first.status}.`;
      found.push({ about: first.operation, happened, evidence: attempts.map(({ id }) => id) });
    }
    return found;
  },
};

/** Yields the attempts of each request: it and its repetitions, as long as the one before was turned away. */
function* runsOfAttempts(calls: readonly ClientCall[]): Generator<ClientCall[]> {
  const open: ClientCall[][] = [];
  for (const call of calls) {
    const run = open.find(([first]) => first && call.repeats(first));
    if (run) run.push(call);
    else if (call.isTurnedAway) open.push([call]);
    if (!run || call.isTurnedAway) continue;
    open.splice(open.indexOf(run), 1);
    yield run;
  }
  yield* open;
}

/** Checks a webhook receiver: sends it genuine, repeated, unexpected and forged deliveries, and judges its answers. */

import { Random, randomHex } from "../time/random.js";
import { delay } from "../time/time.js";
import { attemptTimeout } from "../world/webhooks/send.js";
import { type CheckGroup, type ReceiverCheck, TestDeliveries } from "./check.js";
import { forgedDeliveryGroup, genuineDeliveryGroups, redeliveryGroup } from "./delivery-checks.js";
import { ReceiverConnection, type ReceiverExchange } from "./receiver-connection.js";
import { DirectRoute, type ReceiverRoute } from "./receiver-route.js";
import { responseTimeCheck, slowConnectionGroup, unexpectedRequestGroup } from "./request-checks.js";

/** `skipped`: not sent, because the receiver no longer answered. */
export type CheckVerdict = "pass" | "fail" | "advice" | "skipped";

export interface CheckResult {
  /** Group and name: `forged/truncated`. */
  id: string;
  /** Heading of the check's group. */
  group: string;
  title: string;
  sent: string;
  /** Expected behaviour. */
  right: string;
  /** The answers to the check's deliveries, in order. The status is null when no answer came. */
  answered: { status: number | null; duration_ms: number; error: string | null }[];
  verdict: CheckVerdict;
  /** One sentence that says what happened and what was expected. */
  says: string;
}

export interface ReceiverReport {
  url: string;
  /** Seed of the ids in the deliveries. The same seed sends the same ids. */
  seed: string;
  /** Time limit for an answer, in ms. */
  timeout_ms: number;
  /** Whether nothing failed and nothing was skipped. */
  passed: boolean;
  counts: Record<CheckVerdict, number>;
  /** Number of deliveries that the receiver answered. */
  answered: number;
  /** Likely common causes of many failures. */
  hints: string[];
  results: CheckResult[];
}

/** Returns the likely cause if all genuine deliveries were refused with the same kind of status. */
function hintsOf(results: readonly CheckResult[]): string[] {
  const genuine = results
    .filter(({ id, verdict }) => /^(?:event|bytes)\//.test(id) && verdict !== "skipped")
    .flatMap(({ answered }) => answered);
  const all = (...statuses: number[]) =>
    genuine.length > 0 && genuine.every(({ status }) => status !== null && statuses.includes(status));
  if (all(401, 403)) return ["Every genuine delivery was refused. Does the receiver use this secret?"];
  if (all(404, 405)) return ["Nothing accepts deliveries at this URL. Is the path correct?"];
  return [];
}

/** Returns all checks by group, in the order in which they run. Checks that may end a receiver come late. */
export const checkGroups = (timeout: number): readonly CheckGroup[] => [
  ...genuineDeliveryGroups,
  redeliveryGroup,
  slowConnectionGroup,
  forgedDeliveryGroup,
  unexpectedRequestGroup,
  { name: "time", heading: "Time", checks: [responseTimeCheck(timeout)] },
];

/** Returns the checks with these ids or in these groups, or all if no names are given. Throws a RangeError at an unknown name. */
export function selectChecks(
  groups: readonly CheckGroup[],
  names: readonly string[] = [],
): readonly CheckGroup[] {
  const known = new Set(groups.flatMap(({ name, checks }) => [name, ...checks.map(({ id }) => id)]));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new RangeError(
      `there is no check ${JSON.stringify(unknown)}; the groups are ${groups.map(({ name }) => name).join(", ")}`,
    );
  if (names.length === 0) return groups;
  return groups
    .map((group) => ({
      ...group,
      checks: group.checks.filter(({ id }) => names.includes(group.name) || names.includes(id)),
    }))
    .filter(({ checks }) => checks.length > 0);
}

export interface ReceiverCheckOptions {
  /** URL of the receiver, http or https. */
  url: string;
  /** Webhook secret of the receiver. */
  secret: string;
  /** Time limit for an answer, in ms. Default 10 s, as for real deliveries. */
  timeout?: number;
  /** Seed of the ids in the deliveries. Default: random. */
  seed?: string;
  /** Ids and groups of the checks to run. Default: all. */
  only?: readonly string[];
}

/** Number of consecutive checks without an answer after which the remaining checks are skipped. */
const maxUnansweredChecks = 3;
/** Ms that an ending process may take to close its sockets. */
const socketCloseMs = 100;

/** Checks a receiver. Rejects with ReceiverUnreachable when nothing listens at the URL, with a RangeError when `only` names an unknown check. */
export async function runReceiverCheck(options: ReceiverCheckOptions): Promise<ReceiverReport> {
  const { url, timeout = attemptTimeout } = options;
  if (!/^https?:$/.test(new URL(url).protocol)) throw new TypeError(`${url} is not an http or https URL`);
  return checkOverRoute(options, new DirectRoute(url, timeout));
}

/** Checks the receiver at the end of the route, whatever `url` is. Closes the route at the end. */
export async function checkOverRoute(
  { url, secret, timeout = attemptTimeout, seed = randomHex(4), only }: ReceiverCheckOptions,
  route: ReceiverRoute,
): Promise<ReceiverReport> {
  const groups = selectChecks(checkGroups(timeout), only);
  await route.expectReachable();
  const receiver = new ReceiverConnection(route, timeout);
  const deliveries = new TestDeliveries(Random.seeded(seed, "receiver check"), secret);
  const results: CheckResult[] = [];
  const connection: CheckConnection = { receiver, deliveries, liveness: new Liveness(receiver) };
  try {
    for (const { heading, checks } of groups)
      for (const check of checks) results.push(await runCheck(check, heading, connection));
  } finally {
    await route.close();
  }
  const counts = countVerdicts(results);
  const passed = counts.fail === 0 && counts.skipped === 0;
  const answered = receiver.log.filter(({ status }) => status !== null).length;
  return { url, seed, timeout_ms: timeout, passed, counts, answered, hints: hintsOf(results), results };
}

/** The receiver that is checked, the deliveries for it, and whether it still answers. */
interface CheckConnection {
  receiver: ReceiverConnection;
  deliveries: TestDeliveries;
  liveness: Liveness;
}

/** Finds out whether the receiver still answers. */
class Liveness {
  /** Why nothing more is sent, or null while the receiver answers. */
  givenUp: string | null = null;
  #unanswered = 0;

  constructor(readonly receiver: ReceiverConnection) {}

  /** Gives up after several checks without an answer, or when nothing listens any more. */
  async update({ id }: ReceiverCheck, exchanges: readonly ReceiverExchange[]): Promise<void> {
    this.#unanswered = exchanges.some(({ timedOut }) => timedOut) ? this.#unanswered + 1 : 0;
    if (this.#unanswered >= maxUnansweredChecks)
      this.givenUp = `${maxUnansweredChecks} checks in a row had no answer`;
    if (exchanges.every(({ status, timedOut }) => status !== null || timedOut)) return;
    await delay(socketCloseMs);
    await this.receiver.route.expectReachable().catch(() => {
      this.givenUp = `nothing listens at the URL since ${id}`;
    });
  }
}

async function runCheck(
  check: ReceiverCheck,
  group: string,
  { receiver, deliveries, liveness }: CheckConnection,
): Promise<CheckResult> {
  const { id, title, sends: sent, right, always } = check;
  const shown = { id, group, title, sent, right };
  if (liveness.givenUp !== null && !always)
    return { ...shown, answered: [], verdict: "skipped", says: `Not sent: ${liveness.givenUp}.` };
  receiver.check = id;
  const exchanges = await check.send(receiver, deliveries);
  if (!always) await liveness.update(check, exchanges);
  const answered = exchanges.map(({ status, duration_ms, error }) => ({ status, duration_ms, error }));
  return { ...shown, answered: always ? [] : answered, ...check.judge(exchanges) };
}

function countVerdicts(results: readonly CheckResult[]): Record<CheckVerdict, number> {
  const counts = { pass: 0, fail: 0, advice: 0, skipped: 0 };
  for (const { verdict } of results) counts[verdict]++;
  return counts;
}

/** Judges answers and describes them in one sentence: what the receiver did, and what was expected. */
import type { Judgement, ReceiverFinding } from "./check.js";
import type { ReceiverExchange } from "./exchange.js";

export const isAccepted = ({ status }: ReceiverExchange): boolean =>
  status !== null && status >= 200 && status < 300;
export const isRefused = ({ status }: ReceiverExchange): boolean =>
  status !== null && status >= 400 && status < 500;
export const isCrash = ({ status }: ReceiverExchange): boolean => status === null || status >= 500;
const isRedirect = ({ status }: ReceiverExchange): boolean =>
  status !== null && status >= 300 && status < 400;

function describeAnswer({ status, error, timedOut }: ReceiverExchange): string {
  if (timedOut) return `gave ${error}`;
  if (status !== null) return `answered ${status}`;
  return error?.includes("ECONNREFUSED")
    ? "was gone (ECONNREFUSED)"
    : `closed the connection without an answer (${error})`;
}

const describeAnswers = (exchanges: readonly ReceiverExchange[]): string =>
  `The receiver ${exchanges.map(describeAnswer).join(", then ").replaceAll("then answered", "then")}`;

export const pass = (exchanges: readonly ReceiverExchange[]): ReceiverFinding => ({
  verdict: "pass",
  says: `${describeAnswers(exchanges)}.`,
});

/** Returns a finding that the answers were not as expected. */
export const unexpected = (
  verdict: "fail" | "advice",
  exchanges: readonly ReceiverExchange[],
  right: string,
  remark = "",
): ReceiverFinding => ({ verdict, says: `${describeAnswers(exchanges)}${remark}; expected ${right}.` });

/** Expects every delivery to be accepted. */
export const accepted = (right: string): Judgement => ({
  right,
  judge(exchanges) {
    const wrong = exchanges.find((exchange) => !isAccepted(exchange));
    if (!wrong) return pass(exchanges);
    const remark = isRedirect(wrong) ? ", and redirects are not followed" : "";
    return unexpected("fail", exchanges, right, remark);
  },
});

/** Expects every delivery to be refused, without a crash. `ifAccepted` judges a receiver that accepts one. */
export const refused = (
  right: string,
  ifAccepted: { verdict: "fail" | "advice"; remark: string } = {
    verdict: "fail",
    remark: ": it accepted a forged delivery",
  },
): Judgement => ({
  right,
  judge(exchanges) {
    const wrong = exchanges.find((exchange) => !isRefused(exchange));
    if (!wrong) return pass(exchanges);
    if (isAccepted(wrong)) return unexpected(ifAccepted.verdict, exchanges, right, ifAccepted.remark);
    return unexpected("fail", exchanges, right, isCrash(wrong) ? ": a forged delivery can crash it" : "");
  },
});

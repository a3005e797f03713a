/** How answers are judged, and said in one sentence: what the receiver did, and what is right. */
import type { Exchange, Finding, Judgement } from "./check.js";

export const isSuccess = ({ status }: Exchange): boolean => status !== null && status >= 200 && status < 300;
export const isRefusal = ({ status }: Exchange): boolean => status !== null && status >= 400 && status < 500;
export const isCrash = ({ status }: Exchange): boolean => status === null || status >= 500;
const isRedirect = ({ status }: Exchange): boolean => status !== null && status >= 300 && status < 400;

function did({ status, error, timedOut }: Exchange): string {
  if (timedOut) return `gave ${error}`;
  if (status !== null) return `answered ${status}`;
  return error?.includes("ECONNREFUSED") ? "was gone (ECONNREFUSED)" : `broke off (${error})`;
}

export const happened = (exchanges: readonly Exchange[]): string =>
  `The receiver ${exchanges.map(did).join(", then ").replaceAll("then answered", "then")}`;

export const pass = (exchanges: readonly Exchange[]): Finding => ({
  verdict: "pass",
  says: `${happened(exchanges)}.`,
});

export const instead = (
  verdict: "fail" | "advice",
  exchanges: readonly Exchange[],
  right: string,
  remark = "",
): Finding => ({ verdict, says: `${happened(exchanges)}${remark}; right is ${right}.` });

/** Everything that was sent has to be taken. */
export const accepted = (right: string): Judgement => ({
  right,
  judge(exchanges) {
    const wrong = exchanges.find((exchange) => !isSuccess(exchange));
    if (!wrong) return pass(exchanges);
    const remark = isRedirect(wrong) ? ", and a redirect counts as a failure: it is not followed" : "";
    return instead("fail", exchanges, right, remark);
  },
});

/** Everything that was sent has to be refused, by a receiver that stays on its feet. */
export const refused = (right: string): Judgement => ({
  right,
  judge(exchanges) {
    const wrong = exchanges.find((exchange) => !isRefusal(exchange));
    if (!wrong) return pass(exchanges);
    if (isSuccess(wrong)) return instead("fail", exchanges, right, ": it accepted a forged delivery");
    return instead("fail", exchanges, right, isCrash(wrong) ? ": a stranger can make it fail" : "");
  },
});

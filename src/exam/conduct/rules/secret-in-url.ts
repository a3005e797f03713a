import { hidden } from "../../../contract/redact.js";
import type { ConductRule } from "../rule.js";
import type { Traffic } from "../traffic.js";

const names = /[?&](bvn|nin|code|card|card_number|cvv|token|secret|api_?key|key)=[^&]/i;

/** Returns the identity numbers that the client has sent in bodies. */
const numbersIn = ({ calls }: Traffic): string[] =>
  calls.flatMap(({ body }) =>
    [body.bvn, body.nin].filter((value) => typeof value === "string" && value.length > 9),
  ) as string[];

export const secretInUrl: ConductRule = {
  id: "secret-in-url",
  title: "A secret is in a path or a query",
  reason: "Addresses are kept in logs of servers and proxies, in histories and in error reports.",
  right: "Send keys in headers, and identity numbers and codes in the body.",
  judge(traffic) {
    const numbers = new Set(numbersIn(traffic));
    return traffic.calls.flatMap(({ id, operation, entry: { path } }) => {
      const [, field] = names.exec(path) ?? [];
      const hasKey = path.includes("svc_") || path.includes(hidden);
      const hasNumber = (path.match(/\d{11}/g) ?? []).some((number) => numbers.has(number));
      if (field === undefined && !hasKey && !hasNumber) return [];
      const what =
        field === undefined ? (hasKey ? "an API key" : "an identity number") : `the field ${field}`;
      return [{ about: operation, happened: `The address has ${what}.`, evidence: [id] }];
    });
  },
};

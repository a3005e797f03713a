/** Perturbations that a suite must notice: replies that contradict what has happened, so that tests which check them fail. */
import { isObject } from "../../contract/json.js";
import type { Perturbation } from "../perturbation.js";
import { type Disturbance, disturb, type Used } from "./disturbance.js";

type Values = Record<string, unknown>;

/** Fields that tell whether something is verified. */
const verdictFields = new Set(["verified", "match", "valid"]);
/** Fields in which an amount of money is told. */
const moneyFields = new Set([
  "amount",
  "available",
  "balance",
  "fee",
  "held",
  "pending",
  "received",
  "you_receive",
]);
/** Statuses that are told in place of others. A status that a client waits for is never hidden behind another pending one. */
const otherStatuses: Readonly<Record<string, string>> = {
  success: "failed",
  verified: "failed",
  paid: "failed",
  processed: "failed",
  held: "success",
  failed: "success",
  rejected: "paid",
  not_found: "success",
};

/** Added to every amount, so that it differs in each unit. */
const surplus = 1_000.5;

/** Returns the values at these paths of a reply for which `mutate` has another one. Lists are told by their first element. */
function mutated(reply: unknown, mutate: (name: string, value: unknown) => unknown, path = ""): Values {
  const found: Values = {};
  const descend = (name: string, value: unknown) => {
    const at = path === "" ? name : `${path}.${name}`;
    const other = mutate(name, value);
    if (other !== undefined) found[at] = other;
    else Object.assign(found, mutated(value, mutate, at));
  };
  if (Array.isArray(reply)) {
    if (reply.length > 0) descend("*", reply[0]);
  } else if (isObject(reply)) {
    for (const [name, value] of Object.entries(reply)) descend(name, value);
  }
  return found;
}

/** Returns other amounts for those of a reply. Empty if it has none. */
const otherMoney = (reply: unknown): Values =>
  mutated(reply, (name, value) =>
    moneyFields.has(name) && typeof value === "number" ? value + surplus : undefined,
  );

/** Returns the opposite of what a reply says about verification and payment. Empty if it says nothing. */
const otherVerdict = (reply: unknown): Values =>
  mutated(reply, (name, value) => {
    if (verdictFields.has(name) && typeof value === "boolean") return !value;
    return name === "status" && typeof value === "string" ? otherStatuses[value] : undefined;
  });

const formatValues = (values: Values): string =>
  Object.entries(values)
    .map(([path, value]) => `${path} ${String(value)}`)
    .join(", ");

const mutation = (name: string, says: string, set: Values): Disturbance => ({
  name,
  title: (operation) => `Every reply of ${operation} ${says}: ${formatValues(set)}.`,
  right: "Assert on what the reply says, so that a wrong one makes a test fail.",
  fault: { set },
  always: true,
});

/** Plans replies with the opposite verdict, or with other amounts. */
export const planMutations = (used: readonly Used[]): Perturbation[] =>
  used.flatMap(({ operation, calls: { reply } }) =>
    [
      mutation("verdict", "says the opposite", otherVerdict(reply)),
      mutation("money", "has other amounts", otherMoney(reply)),
    ]
      .filter(({ fault }) => Object.keys(fault?.set ?? {}).length > 0)
      .map((one) => disturb("noticed", operation.id, one)),
  );

import type { ConductRule } from "../rule.js";

export const floatMoney: ConductRule = {
  id: "float-money",
  title: "An amount is a text, or has more than two decimals",
  reason: "Sums of floating-point numbers are off by a fraction of a kobo, and are refused or rounded.",
  right: "Calculate in kobo with whole numbers, and send naira as a number with at most two decimals.",
  judge: ({ calls }) =>
    calls.flatMap(({ id, operation, body: { amount } }) => {
      if (!isText(amount) && !isBeyondKobo(amount)) return [];
      return [{ about: operation, happened: `amount was ${JSON.stringify(amount)}.`, evidence: [id] }];
    }),
};

const isText = (amount: unknown): boolean =>
  typeof amount === "string" && amount.trim() !== "" && !Number.isNaN(Number(amount));

/** The code of a refusal does not tell: a rule may have asked for it. */
const isBeyondKobo = (amount: unknown): boolean =>
  typeof amount === "number" && Number(amount.toFixed(2)) !== amount;

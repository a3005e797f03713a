import type { ConductRule } from "../rule.js";

export const floatMoney: ConductRule = {
  id: "float-money",
  title: "An amount is a text, or has more than two decimals",
  reason: "Sums of floating-point numbers are off by a fraction of a kobo, and are refused or rounded.",
  right: "Calculate in kobo with whole numbers, and send naira as a number with at most two decimals.",
  judge: ({ calls }) =>
    calls.flatMap(({ id, operation, body, entry: { error_code } }) => {
      const isText =
        typeof body.amount === "string" && body.amount.trim() !== "" && !Number.isNaN(Number(body.amount));
      if (!isText && error_code !== "amount_not_in_kobo") return [];
      const happened = `amount was ${JSON.stringify(body.amount)}.`;
      return [{ about: operation, happened, evidence: [id] }];
    }),
};

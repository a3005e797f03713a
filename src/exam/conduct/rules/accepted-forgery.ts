import type { ConductRule } from "../rule.js";

const forgeries = {
  signature: "with a wrong signature",
  body: "whose body had been changed after it was signed",
  unsigned: "without a signature",
} as const;

export const acceptedForgery: ConductRule = {
  id: "accepted-forgery",
  title: "A forged webhook is accepted",
  reason: "Whoever knows the address of the receiver can tell it that money has come in.",
  right: "Compute the signature of the body as it arrived, and answer 401 if it is missing or another one.",
  judge: ({ deliveries }) =>
    deliveries.flatMap(({ id, event, tamper, attempts: [first] }) => {
      const status = first?.status ?? 0;
      if (!tamper || status < 200 || status >= 300) return [];
      const happened = `The receiver answered ${status} to a webhook ${forgeries[tamper]}.`;
      return [{ about: event, happened, evidence: [id] }];
    }),
};

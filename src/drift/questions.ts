/** Questions for a person who knows the service, about what no run can see from outside. */
import { assumptions } from "../service/assumptions.js";

export interface Question {
  readonly id: string;
  readonly question: string;
  /** Behaviour of the sandbox. */
  readonly ours: string;
}

/** Subjects that take days, live keys or people at the service. */
const unseen: readonly Question[] = [
  {
    id: "state.payment.released",
    question: "What happens to held payments when the business certificate is verified?",
    ours: "Each is released, sends payment.received and starts its 24 hours.",
  },
  {
    id: "state.payout.decided",
    question:
      "Which webhooks follow when a payout is paid, fails or is declined, and when does its money return?",
    ours: "payout.paid, payout.failed or payout.rejected; the amount returns at once unless it is paid.",
  },
  {
    id: "state.refund.decided",
    question:
      "Which webhooks follow when a refund is approved, declined or fails, and what happens to the fee?",
    ours: "refund.processed, refund.rejected or refund.failed; the fee on a processed part is returned.",
  },
  {
    id: "webhook.by_hand",
    question: "Does a delivery that is retried by hand have the same bytes and signature as before?",
    ours: "Yes.",
  },
];

/** Returns the questions that neither a probe nor a check answers. */
export const openQuestions = (): Question[] => [
  ...assumptions
    .filter((row) => row.switch === undefined)
    .map(({ id, question, default: ours }) => ({ id, question, ours })),
  ...unseen,
];

/** Formats the questions as a checklist in Markdown. */
export const formatQuestions = (questions: readonly Question[]): string =>
  [
    "# Questions about the service",
    "",
    "`standin drift` cannot see these from outside. Tick what somebody who knows the service confirms.",
    "",
    ...questions.map(({ id, question, ours }) =>
      [`- [ ] **${id}**: ${question}`, ...ours.split("\n").map((line) => `  - The sandbox: ${line}`)].join(
        "\n",
      ),
    ),
    "",
  ].join("\n");

/** `standin assumptions`: what the interface leaves open, and what is in force. */
import type { Command } from "commander";
import { controlApi, onSandbox, print, type SteeringFlags, taught } from "./steering.js";
import { table } from "./table.js";

interface Assumption {
  id: string;
  question: string;
  value: string | null;
  values: string[];
}

export const assumptionsCommand = (): Command =>
  onSandbox(
    taught("assumptions", "List what the interface leaves open, and which answer is in force.", [
      "standin assumptions",
      "standin assumptions --json",
    ]),
  ).action(async (flags: SteeringFlags) => {
    print(flags, await controlApi(flags).call<{ items: Assumption[] }>("GET", "/assumptions"), describe);
  });

function describe({ items }: { items: Assumption[] }): string {
  const rows = items.map(({ id, question, value, values }) => [
    id,
    value ?? "-",
    values.filter((other) => other !== value).join(", ") || "-",
    question,
  ]);
  return [
    table(["assumption", "in force", "or", "question"], rows),
    "",
    'Answers and reasons are in contracts/ASSUMPTIONS.md and with --json; "standin start --assume ID=VALUE" switches one.',
  ].join("\n");
}

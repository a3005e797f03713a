/** `standin values`: what to send to get the unhappy paths. */
import type { Command } from "commander";
import { colors } from "./colors.js";
import { type Answer, CommandFailure } from "./control-api.js";
import { nearest } from "./nearest.js";
import { controlApi, onSandbox, print, type SteeringFlags, taught } from "./steering.js";
import { table } from "./table.js";

interface OperationOutcomes {
  operation: string;
  method: string;
  path: string;
  default: string | null;
  outcomes: { name: string; description: string }[];
  test_values: { where: string; value: string; outcome: string; note: string }[];
}
type Listed = Answer<{ items: OperationOutcomes[] }>;

export const valuesCommand = (): Command =>
  onSandbox(
    taught("values", "List the test values, and the outcomes that they ask for.", [
      "standin values",
      "standin values verifyBvn",
      "standin values payout",
    ]).argument("[operation]", "an operation's id, or a part of ids and paths: its outcomes are listed too"),
  ).action(values);

async function values(operation: string | undefined, flags: SteeringFlags): Promise<void> {
  const all: Listed = await controlApi(flags).call("GET", "/outcomes");
  if (operation === undefined) return print(flags, all, ({ items }) => overview(items));
  const items = await matching(all.value.items, operation);
  print(flags, { text: JSON.stringify({ items }), value: items }, (found) =>
    found.map(describe).join("\n\n"),
  );
}

/** The operation of that id; without one, all whose id or path holds the text. */
async function matching(items: OperationOutcomes[], wanted: string): Promise<OperationOutcomes[]> {
  const text = wanted.toLowerCase();
  const exact = items.filter(({ operation }) => operation.toLowerCase() === text);
  if (exact.length > 0) return exact;
  const partly = items.filter(({ operation, path }) => `${operation} ${path}`.toLowerCase().includes(text));
  if (partly.length > 0) return partly;
  const ids = items.map(({ operation }) => operation);
  throw new CommandFailure(
    `no operation's id or path holds ${JSON.stringify(wanted)}${await nearest(ids, wanted)}; "standin values" lists those with test values`,
  );
}

function overview(items: readonly OperationOutcomes[]): string {
  const rows = items.flatMap(({ operation, test_values }) =>
    test_values.map(({ where, value, outcome, note }) => [operation, where, value, outcome, note]),
  );
  return [
    table(["operation", "where", "value", "outcome", "what happens"], rows),
    "",
    'Any outcome can be asked for with the header X-Sandbox-Outcome; "standin values OPERATION" lists them.',
  ].join("\n");
}

function describe({
  operation,
  method,
  path,
  default: usual,
  outcomes,
  test_values,
}: OperationOutcomes): string {
  const valuesFor = (name: string) =>
    test_values
      .filter(({ outcome }) => outcome === name)
      .map(({ where, value }) => `${where} ${value}`)
      .join(", ");
  const rows = outcomes.map(({ name, description }) => [
    name === usual ? `${name} (default)` : name,
    description,
    valuesFor(name) || "-",
  ]);
  return `${colors.bold(operation)}  ${method} ${path}\n\n${table(["outcome", "what happens", "test values"], rows)}`;
}

/** `standin values`: lists test values and outcomes. */
import type { Command } from "commander";
import { formatNearest } from "../contract/nearest.js";
import type { ItemOf, ReplyOf } from "../contract/operation.js";
import type { listOutcomes } from "../control/catalogue.js";
import { topCommand } from "./command-list.js";
import { type ConnectionFlags, printReply, withConnection } from "./connection.js";
import { CommandError } from "./errors.js";
import { colors, formatTable, printResult } from "./output/print.js";
import { askAnySandbox } from "./temporary-sandbox.js";

type OperationOutcomes = ItemOf<typeof listOutcomes>;

export const valuesCommand = (): Command =>
  withConnection(
    topCommand("values", ["standin values", "standin values verifyBvn", "standin values payout"]).argument(
      "[operation]",
      "list all outcomes of this operation, or of those whose id or path contains this text",
    ),
  ).action(values);

async function values(operation: string | undefined, flags: ConnectionFlags): Promise<void> {
  const answer = await askAnySandbox(flags, (api) => api.call("listOutcomes"));
  if (operation === undefined) return printReply(flags, answer, formatTestValues);
  const items = findOperations(answer.value.items, operation);
  printResult(flags, { items }, () => items.map(formatOutcomes).join("\n\n"));
}

/** Returns the operation with this id, or else all whose id or path contains the text. */
function findOperations(items: OperationOutcomes[], wanted: string): OperationOutcomes[] {
  const text = wanted.toLowerCase();
  const exact = items.filter(({ operation }) => operation.toLowerCase() === text);
  if (exact.length > 0) return exact;
  const partial = items.filter(({ operation, path }) => `${operation} ${path}`.toLowerCase().includes(text));
  if (partial.length > 0) return partial;
  const ids = items.map(({ operation }) => operation);
  throw new CommandError(
    `no operation has ${JSON.stringify(wanted)} in its id or path${formatNearest(wanted, ids)}; "standin values" lists those with test values`,
  );
}

function formatTestValues({ items }: ReplyOf<typeof listOutcomes>): string {
  const rows = items.flatMap(({ operation, test_values }) =>
    test_values.map(({ where, value, outcome, note }) => [operation, where, value, outcome, note]),
  );
  return [
    formatTable(["operation", "where", "value", "outcome", "description"], rows),
    "",
    'The header X-Sandbox-Outcome triggers any outcome; "standin values OPERATION" lists those of an operation.',
  ].join("\n");
}

function formatOutcomes(item: OperationOutcomes): string {
  const { operation, method, path, outcomes, test_values } = item;
  const valuesFor = (name: string) =>
    test_values
      .filter(({ outcome }) => outcome === name)
      .map(({ where, value }) => `${where} ${value}`)
      .join(", ");
  const rows = outcomes.map(({ name, description }) => [
    name === item.default ? `${name} (default)` : name,
    description,
    valuesFor(name) || "-",
  ]);
  return `${colors.bold(operation)}  ${method} ${path}\n\n${formatTable(["outcome", "description", "test values"], rows)}`;
}

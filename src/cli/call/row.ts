/** A command that makes one call of the control API, as a row: operation, operands, options, and the output for the reply. */
import type { Command } from "commander";
import type { CallArguments, CallId, CallReply, JsonReply } from "../../client/client.js";
import { type CommandName, commandList, documentedCommand, topCommand } from "../command-list.js";
import { type CommandClient, type ConnectionFlags, connect, controlOptions } from "../connection.js";
import { CommandError } from "../errors.js";
import { type FlagRow, type FlagsOf, type FlagTable, flagTable, withFlags } from "../flags.js";
import { formatTable, print } from "../output/print.js";
import { withProgress } from "../output/progress.js";

/** The user's input, and the client of the call. */
interface Given<Options extends readonly FlagRow[] = readonly FlagRow[]> {
  readonly operands: readonly string[];
  readonly flags: ConnectionFlags & FlagsOf<FlagTable<Options>>;
  readonly api: CommandClient;
}

export interface CommandRow<Id extends CallId, Options extends readonly FlagRow[], Result = CallReply<Id>> {
  readonly operation: Id;
  /** Set if a temporary sandbox answers the call unless a running one is named. Default: a running sandbox is required. */
  readonly asksAny?: true;
  /** Default: the summary in the list of commands. */
  readonly summary?: string;
  readonly examples: readonly string[];
  readonly notes?: readonly string[];
  readonly operands?: Readonly<Record<string, string>>;
  readonly options?: Options;
  /** Returns the input of the call. Default: none. */
  input?(
    given: Given<Options>,
  ): NonNullable<CallArguments<Id>[0]> | Promise<NonNullable<CallArguments<Id>[0]>>;
  /** Returns the name of the body in messages, such as the file that the user has given. Default: the body. */
  bodyName?(given: Given<Options>): string;
  /** Text on a terminal about what the command waits for. Default: none. */
  readonly waitsFor?: string;
  /** Returns how far the call is, to follow `waitsFor`. */
  reached?(api: CommandClient): Promise<string>;
  /** Returns the part of the reply to print, also as JSON. Default: the reply as it was received. */
  result?(reply: CallReply<Id>, given: Given<Options>): Result;
  text(result: Result, given: Given<Options>): string | Promise<string>;
}

export const row = <Id extends CallId, const Options extends readonly FlagRow[] = []>(
  declared: CommandRow<Id, Options>,
): CommandRow<Id, Options> => declared;

/** Declares a row that prints the part of the reply that `result` returns. */
export const rowOfResult = <Id extends CallId, Result>(
  declared: CommandRow<Id, [], Result>,
): CommandRow<Id, [], Result> => declared;

/** Returns the text of a list: a table with these columns, or the text for an empty list. */
export const tableOf =
  <Item, Options extends readonly FlagRow[]>(
    columns: Readonly<Record<string, (item: Item) => string>>,
    empty: (given: Given<Options>) => string,
  ) =>
  ({ items }: { items: readonly Item[] }, given: Given<Options>): string =>
    items.length === 0
      ? empty(given)
      : formatTable(
          Object.keys(columns),
          items.map((item) => Object.values(columns).map((cell) => cell(item))),
        );

/** A row without the types of its operation. */
export type AnyRow = CommandRow<CallId, readonly FlagRow[], unknown>;

/** Creates the command of a row. Its last word is its name. */
export function createCommand(words: string, declared: AnyRow): Command {
  const { summary, examples, notes = [], operands = {}, options = [] } = declared;
  const name = words.split(" ").at(-1) as string;
  const command = Object.hasOwn(commandList, words)
    ? topCommand(words as CommandName, examples, ...notes)
    : documentedCommand(name, summary ?? "", examples, ...notes);
  for (const [placeholder, description] of Object.entries(operands))
    command.argument(placeholder, description);
  return withFlags(command, flagTable(null, options), ...controlOptions()).action(async () => {
    const flags = command.opts<Given["flags"]>();
    const operands = command.processedArgs as string[];
    if (!declared.asksAny) return run(declared, { operands, flags, api: connect(flags) });
    const { askAnySandbox } = await import("../temporary-sandbox.js");
    return askAnySandbox(flags, (api) => run(declared, { operands, flags, api }));
  });
}

async function run(
  { operation, input, bodyName, waitsFor, reached, result, text }: AnyRow,
  given: Given,
): Promise<void> {
  const call = given.api.call as (id: CallId, input?: unknown) => Promise<JsonReply<CallReply<CallId>>>;
  const calling = call.call(given.api, operation, await input?.(given)).catch((error: unknown) => {
    if (!(bodyName && error instanceof CommandError)) throw error;
    throw new CommandError(error.message.replace(/^The body\b/, bodyName(given)), error.exitCode);
  });
  const progress = () => reached?.(given.api) ?? "";
  const reply = await (waitsFor === undefined ? calling : withProgress(waitsFor, calling, progress));
  const shown = result ? result(reply.value, given) : reply.value;
  const json = () => (result ? JSON.stringify(shown) : reply.text);
  print(`${(given.flags.json ? json() : await text(shown, given)).replace(/\n$/, "")}\n`);
}

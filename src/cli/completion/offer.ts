/** `standin complete`: prints what can stand at the end of a command line. The scripts for the shells ask it at each Tab. */
import type { Command } from "commander";
import { fieldWords, operations } from "../call/operations.js";
import { topCommand } from "../command-list.js";
import { print } from "../output/print.js";
import { type CommandNode, type Completions, type OptionNode, readCommandTree } from "./command-tree.js";

/** Something to offer, or what the shell knows better: a kind of word, or an argument of the command these many words before. */
type Offer =
  | readonly [word: string, description?: string]
  | ":files"
  | ":folders"
  | ":commands"
  | `:arguments\t${number}`;

/** What the words before the last one have led to. */
interface Place {
  command: CommandNode;
  /** Operands so far. */
  operands: string[];
  /** Option that takes the last word as its value. */
  option: OptionNode | null;
  /** Whether the words belong to the command that standin runs, or follow `--`. */
  isForeign: boolean;
}

/** Returns the option of this name that takes a value, or null. */
const optionTaking = ({ options }: CommandNode, name: string): OptionNode | null =>
  options.find(({ names, value }) => value !== null && names.includes(name)) ?? null;

/** Returns the completions of an operand by its index, or null if the command takes no such one. */
const operandAt = ({ operands }: CommandNode, index: number): Completions | null => {
  const operand = operands[index] ?? operands.at(-1);
  return operand && (index < operands.length || operand.variadic) ? operand.values : null;
};

/** Follows the words of a command line that stand before its last one. */
function follow(program: CommandNode, words: readonly string[]): Place {
  const place: Place = { command: program, operands: [], option: null, isForeign: false };
  for (const word of words) {
    const { command, operands, option, isForeign } = place;
    const child = operands.length === 0 ? command.commands.find(({ name }) => name === word) : undefined;
    if (option) place.option = null;
    else if (isForeign) operands.push(word);
    else if (word === "--") place.isForeign = true;
    else if (word.startsWith("-")) place.option = optionTaking(command, word);
    else if (child) place.command = child;
    else {
      place.isForeign = operandAt(command, operands.length)?.kind === "commands";
      operands.push(word);
    }
  }
  return place;
}

/** Returns the values that begin with `text`, which `before` precedes in the word. */
function valuesFor(values: Completions | null, text: string, before = ""): Offer[] {
  if (!values || values.kind === "free" || values.kind === "fields") return [];
  if (values.kind !== "words" && values.kind !== "list") return [`:${values.kind}`];
  const chosen = values.kind === "list" ? text.slice(0, text.lastIndexOf(",") + 1) : "";
  return values.words.map((word) => [before + chosen + word] as const);
}

/** Returns the fields of the operation of this id, as they begin on a command line. */
function fieldsFor(id: string | undefined): string[] {
  const operation = operations.find((one) => one.id === id);
  return operation ? fieldWords(operation) : [];
}

/** A word of a command line, in which quotes and backslashes keep spaces. Its last quote may be missing. */
const word = /(?:\\.|"(?:\\.|[^"\\])*"?|'[^']*'?|[^\s"'\\]|\\$)+/g;

/** Returns the words of a command line as they were written. The last one, which may be incomplete, is empty after a space. */
function wordsOf(line: string): string[] {
  const words: string[] = line.match(word) ?? [];
  const last = words.at(-1);
  return last !== undefined && line.endsWith(last) ? words : [...words, ""];
}

/** Returns what can stand at the end of the line, in place of its last word. */
function offersFor(program: CommandNode, words: string[], last: string): Offer[] {
  const { command, operands, option, isForeign } = follow(program, words.slice(1));
  if (option) return valuesFor(option.value?.values ?? null, last);
  const [, name, text = ""] = (!isForeign && /^(--[^=]*)=(.*)$/.exec(last)) || [];
  if (name) return valuesFor(optionTaking(command, name)?.value?.values ?? null, text, `${name}=`);
  if (!isForeign && last.startsWith("-"))
    return command.options.flatMap(({ names, description }) =>
      names.map((one) => [one, description] as const),
    );
  const values = operandAt(command, operands.length);
  if (values?.kind === "commands" && operands.length > 0) return [`:arguments\t${operands.length}`];
  if (values?.kind === "fields") return fieldsFor(operands[0]).map((field) => [field] as const);
  const commands = operands.length === 0 && !isForeign ? command.commands : [];
  return [
    ...commands.map(({ name, description }) => [name, description] as const),
    ...valuesFor(values, last),
  ];
}

export const completeCommand = (): Command =>
  topCommand("complete", ['standin complete "standin trigger payout.p"'])
    .argument("<line>", "the command line up to the cursor")
    .action(async (line: string, _options: object, command: Command) => {
      const words = wordsOf(line);
      const last = words.pop() as string;
      for (const offer of offersFor(await readCommandTree(command.parent as Command), words, last))
        if (typeof offer === "string") print(`${offer}\n`);
        else if (offer[0].startsWith(last)) print(`${offer.join("\t")}\n`);
    });

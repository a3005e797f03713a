/** A command whose --help ends with examples. */
import { Command } from "commander";

/** `more` is what there is to know beside the options. */
export const taught = (
  name: string,
  description: string,
  examples: readonly string[],
  ...more: readonly string[]
): Command =>
  new Command(name)
    .description(description)
    .addHelpText("after", [...more, sayExamples(examples)].map((text) => `\n${text}`).join("\n"));

export const sayExamples = (examples: readonly string[]): string =>
  `Examples:\n${examples.map((example) => `  $ ${example}`).join("\n")}`;

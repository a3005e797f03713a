/** `standin completion`: prints a shell script that is generated from the commands and options. */
import { Argument, type Command } from "commander";
import { documentedCommand } from "../documented-command.js";
import { print } from "../output/print.js";
import { bashScript } from "./bash.js";
import { type CommandNode, readCommandTree } from "./command-tree.js";
import { fishScript } from "./fish.js";
import { zshScript } from "./zsh.js";

const scripts: Readonly<Record<string, (program: CommandNode) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

const installation = `To enable completion in every shell, add this line to
  ~/.bashrc                   eval "$(standin completion bash)"
  ~/.zshrc, after compinit    eval "$(standin completion zsh)"
  ~/.config/fish/config.fish  standin completion fish | source
Each new shell generates the script again, so updates of standin need no further step.`;

export const completionCommand = (): Command =>
  documentedCommand(
    "completion",
    "Print a shell script that completes commands, options and values.",
    ["standin completion fish | source", 'eval "$(standin completion bash)"'],
    installation,
  )
    .addArgument(new Argument("<shell>", "shell to print the script for").choices(Object.keys(scripts)))
    .option("--json", "print the completions as one JSON document")
    .action(async (shell: string, { json }: { json?: true }, command: Command) => {
      const program = await readCommandTree(command.parent as Command);
      print(json ? `${JSON.stringify(program)}\n` : (scripts[shell]?.(program) ?? ""));
    });

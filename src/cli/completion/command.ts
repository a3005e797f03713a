/** `standin completion`: prints the script with which a shell completes commands, options and values. */
import { Argument, type Command } from "commander";
import { topCommand } from "../documented-command.js";
import { print } from "../output/print.js";
import { readCommandTree } from "./command-tree.js";
import { completionScripts } from "./scripts.js";

const installation = `To enable completion in every shell, add this line to
  ~/.bashrc                   eval "$(standin completion bash)"
  ~/.zshrc, after compinit    eval "$(standin completion zsh)"
  ~/.config/fish/config.fish  standin completion fish | source
The shell asks standin at each Tab, so updates of standin need no further step.`;

export const completionCommand = (): Command =>
  topCommand(
    "completion",
    ["standin completion fish | source", 'eval "$(standin completion bash)"'],
    installation,
  )
    .addArgument(
      new Argument("<shell>", "shell to print the script for").choices(Object.keys(completionScripts)),
    )
    .option("--json", "print the completions as one JSON document")
    .action(async (shell: string, { json }: { json?: true }, command: Command) => {
      const tree = json && (await readCommandTree(command.parent as Command));
      print(tree ? `${JSON.stringify(tree)}\n` : (completionScripts[shell] ?? ""));
    });

/** `standin completion`: a script for the shell, made anew from the commands and options at each call. */
import { Argument, type Command } from "commander";
import { taught, write } from "../steering.js";
import { bashScript } from "./bash.js";
import { fishScript } from "./fish.js";
import { type CompletedCommand, readProgram } from "./tree.js";
import { zshScript } from "./zsh.js";

const scripts: Readonly<Record<string, (program: CompletedCommand) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

const install = `To have it in every shell, add the line to
  ~/.bashrc                   eval "$(standin completion bash)"
  ~/.zshrc, after compinit    eval "$(standin completion zsh)"
  ~/.config/fish/config.fish  standin completion fish | source
The script is made from the commands of this version, so there is nothing to renew after an update.`;

export const completionCommand = (): Command =>
  taught(
    "completion",
    "Print a script with which your shell completes commands, options and values.",
    ["standin completion fish | source", 'eval "$(standin completion bash)"'],
    install,
  )
    .addArgument(new Argument("<shell>", "which shell").choices(Object.keys(scripts)))
    .option("--json", "print what there is to complete as one JSON document")
    .action(async (shell: string, { json }: { json?: true }, command: Command) => {
      const program = await readProgram(command.parent as Command);
      write(json ? `${JSON.stringify(program)}\n` : (scripts[shell]?.(program) ?? ""));
    });

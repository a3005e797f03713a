/** `standin completion`: prints the script with which a shell completes commands, options and values. */
import { Argument, type Command } from "commander";
import { topCommand } from "../command-list.js";
import { print } from "../output/print.js";
import { readCommandTree } from "./command-tree.js";

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

/** For bash 3.2 and newer. Bash splits words at = and :, and keeps what stands before. */
const bash = String.raw`# Completion for bash; in ~/.bashrc: eval "$(standin completion bash)"
_standin() {
  local line=@{COMP_LINE:0:COMP_POINT} word description
  local last=@{line##*[[:space:]]} before=
  [[ $COMP_WORDBREAKS == *=* ]] && before=@{last%"@{last##*[=:]}"}
  COMPREPLY=()
  compopt +o default 2>/dev/null
  while IFS=$'\t' read -r word description; do
    case $word in
      :files | :arguments) compopt -o default 2>/dev/null ;;
      :folders) COMPREPLY=($(compgen -d -- "@{last##*=}")) ;;
      :commands) COMPREPLY=($(compgen -c -- "$last")) ;;
      *) COMPREPLY+=("@{word#"$before"}") ;;
    esac
  done < <("@{1:-standin}" complete "$line" 2>/dev/null)
}
complete -o default -F _standin standin
`.replaceAll("@{", "${");

const zsh = String.raw`#compdef standin
# Completion for zsh; in ~/.zshrc, after compinit: eval "$(standin completion zsh)"
_standin() {
  local word description
  local -a offered
  while IFS=$'\t' read -r word description; do
    case $word in
      (:files) compset -P '--*='; _files ;;
      (:folders) compset -P '--*='; _files -/ ;;
      (:commands) _command_names -e ;;
      (:arguments) shift $((CURRENT - description - 1)) words; CURRENT=$((description + 1)); _normal ;;
      (*) offered+=("@{word//:/\\:}@{description:+:$description}") ;;
    esac
  done < <($words[1] complete "@{(j: :)words[1,CURRENT]}" 2>/dev/null)
  if (( $#offered )); then _describe standin offered; fi
}
if [[ $funcstack[1] == _standin ]]; then _standin "$@"; else compdef _standin standin; fi
`.replaceAll("@{", "${");

const fish = String.raw`# Completion for fish; in ~/.config/fish/config.fish: standin completion fish | source
function __standin_offers
  set -l last (commandline -ct)
  set -l before (string match -r -- '^--[^=]*=' $last)
  set -l rest (string replace -- "$before" '' $last)
  for offer in (standin complete (commandline -cp | string collect) 2>/dev/null)
    switch $offer
      case :files ':arguments*'
        printf "$before%s\n" (__fish_complete_path $rest)
      case :folders
        printf "$before%s\n" (__fish_complete_directories $rest)
      case :commands
        __fish_complete_command
      case '*'
        echo $offer
    end
  end
end
complete -c standin -f -a '(__standin_offers)'
`.replaceAll("@{", "${");

const completionScripts: Readonly<Record<string, string>> = { bash, zsh, fish };

/** Generates the completion script for bash 3.2 and newer. */
import { type CommandNode, type Completions, everyCommand } from "./command-tree.js";

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Encodes completions for the script: lists begin with a comma, and names that the shell knows with @. */
function encode(values: Completions): string {
  if (values.kind === "words") return values.words.join(" ") || "@free";
  return values.kind === "list" ? `,${values.words.join(" ")}` : `@${values.kind}`;
}

/** Formats the branches of a `case`. Keys with the same reply share a branch. */
function caseBranches(pairs: Iterable<readonly [key: string, reply: string]>): string {
  const keys = new Map<string, string[]>();
  for (const [key, reply] of pairs) keys.set(reply, [...(keys.get(reply) ?? []), quote(key)]);
  return [...keys].map(([reply, same]) => `    ${same.join("|")}) REPLY=${quote(reply)} ;;`).join("\n");
}

/** Formats a shell function that sets REPLY depending on its argument. */
const lookupFunction = (
  name: string,
  pairs: Iterable<readonly [string, string]>,
): string => `_standin_${name}() {
  REPLY=
  case $1 in
${caseBranches(pairs)}
  esac
}`;

const maxOperands = 9;

function* operands(
  { operands: own }: CommandNode,
  path: readonly string[],
): Generator<readonly [string, string]> {
  for (const [index, { values, variadic }] of own.entries()) {
    const last = variadic ? maxOperands : index;
    for (let place = index; place <= last; place++) yield [[...path, place].join(" "), encode(values)];
  }
}

export function bashScript(program: CommandNode): string {
  const all = [...everyCommand(program)];
  const keyed = (read: (command: CommandNode) => string) =>
    all.map(({ command, path }) => [path.join(" "), read(command)] as const).filter(([, reply]) => reply);
  const taken = all.flatMap(({ command, path }) =>
    command.options.flatMap(({ names, value }) =>
      value ? names.map((name) => [[...path, name].join(" "), encode(value.values)] as const) : [],
    ),
  );
  return [
    '# Completion for bash; in ~/.bashrc: eval "$(standin completion bash)"',
    lookupFunction(
      "commands",
      keyed(({ commands }) => commands.map(({ name }) => name).join(" ")),
    ),
    lookupFunction(
      "options",
      keyed(({ options }) => options.flatMap(({ names }) => names).join(" ")),
    ),
    lookupFunction("takes", taken),
    lookupFunction(
      "operand",
      all.flatMap(({ command, path }) => [...operands(command, path)]),
    ),
    completeFunction,
    "complete -o default -F _standin standin",
    "",
  ].join("\n");
}

/**
 * Walks the line to the current command and completes its last word. Bash splits words at = and :, so the line is split
 * again here, and the part before the split is removed from the replies. `@{` stands for `${`, which would begin an
 * expression of the template.
 */
const completeFunction = `_standin() {
  local line=@{COMP_LINE:0:COMP_POINT} path= spec= foreign= count=0 prefix= head word cur i REPLY
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  cur=@{words[@{#words[@]} - 1]}
  for ((i = 1; i < @{#words[@]} - 1; i++)); do
    word=@{words[i]}
    if [[ -n $spec ]]; then
      spec=
    elif [[ -n $foreign ]]; then
      count=$((count + 1))
    elif [[ $word == -- ]]; then
      foreign=1
    elif [[ $word == -* ]]; then
      _standin_takes "@{path:+$path }$word"
      spec=$REPLY
    else
      _standin_commands "$path"
      if [[ $count -eq 0 && " $REPLY " == *" $word "* ]]; then
        path=@{path:+$path }$word
      else
        _standin_operand "@{path:+$path }$count"
        [[ $REPLY == @commands ]] && foreign=1
        count=$((count + 1))
      fi
    fi
  done
  if [[ -z $spec && -z $foreign && $cur == --*=* ]]; then
    prefix=@{cur%%=*}=
    _standin_takes "@{path:+$path }@{cur%%=*}"
    spec=@{REPLY:-@free}
  elif [[ -z $spec && -z $foreign && $cur == -* ]]; then
    _standin_options "$path"
    spec=$REPLY
  elif [[ -z $spec ]]; then
    _standin_operand "@{path:+$path }$count"
    spec=$REPLY
    if [[ $count -eq 0 && -z $foreign ]]; then
      _standin_commands "$path"
      spec=@{REPLY:+$REPLY }$spec
    fi
  fi
  COMPREPLY=()
  case $spec in
    @commands) [[ $count -eq 0 ]] && COMPREPLY=($(compgen -c -- "$cur")) ;;
    @folders) COMPREPLY=($(compgen -d -- "@{cur#"$prefix"}")) ;;
    @free) compopt +o default 2>/dev/null ;;
    @files) ;;
    ,*)
      [[ $cur == *,* ]] && prefix=@{cur%,*},
      COMPREPLY=($(compgen -P "$prefix" -W "@{spec#,}" -- "@{cur#"$prefix"}"))
      ;;
    *) COMPREPLY=($(compgen -P "$prefix" -W "$spec" -- "@{cur#"$prefix"}")) ;;
  esac
  head=@{cur%"@{cur##*[=:]}"}
  [[ -n $head && $COMP_WORDBREAKS == *=* ]] && COMPREPLY=("@{COMPREPLY[@]#"$head"}")
  return 0
}`.replaceAll("@{", "${");

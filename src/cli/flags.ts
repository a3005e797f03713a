/** Options of commands as tables: each is declared once, and the type of its value follows from its row. */
import { type Command, Option } from "commander";

export interface FlagDetails {
  /** Reads the text. With an option that can be repeated, `previous` is the value so far. */
  readonly parse?: (text: string, previous: never) => unknown;
  readonly choices?: readonly string[];
  /** Environment variable. Default: none. */
  readonly env?: string;
  readonly default?: string;
  /** Names of options that cannot be given beside this one. */
  readonly conflicts?: readonly string[];
  /** Whether --help leaves it out. */
  readonly isHidden?: true;
}

/** Flags and description of an option, as --help shows them. */
export type FlagRow = readonly [flags: string, description: string, more?: FlagDetails];

export interface FlagTable<Rows extends readonly FlagRow[] = readonly FlagRow[]> {
  /** Heading in --help. Null for the heading of the options before. */
  readonly heading: string | null;
  readonly rows: Rows;
}

/** Declares options below a heading of --help. */
export const flagTable = <const Rows extends readonly FlagRow[]>(
  heading: string | null,
  rows: Rows,
): FlagTable<Rows> => ({ heading, rows });

/** Leaves an option out of --help. */
export const hiddenOption = ([flags, description, details]: FlagRow): FlagRow => [
  flags,
  description,
  { ...details, isHidden: true },
];

/** Adds the options of the tables to a command. */
export function withFlags(command: Command, ...tables: readonly FlagTable[]): Command {
  for (const { heading, rows } of tables) {
    if (heading !== null) command.optionsGroup(heading);
    for (const row of rows) command.addOption(toOption(row));
  }
  return command;
}

function toOption([flags, description, more = {}]: FlagRow): Option {
  const option = new Option(flags, description);
  if (more.parse) option.argParser(more.parse as (text: string, previous: unknown) => unknown);
  if (more.choices) option.choices(more.choices);
  if (more.env !== undefined) option.env(more.env);
  if (more.default !== undefined) option.default(more.default);
  if (more.conflicts) option.conflicts([...more.conflicts]);
  return option.hideHelp(more.isHidden ?? false);
}

/** Name that commander gives the value of an option: `maxAge` of `--max-age <duration>`. */
type NameOf<Flags extends string> = Flags extends `${string}--no-${infer Rest}`
  ? CamelCase<FirstWord<Rest>>
  : Flags extends `${string}--${infer Rest}`
    ? CamelCase<FirstWord<Rest>>
    : never;

type FirstWord<Text extends string> = Text extends `${infer Word} ${string}` ? Word : Text;

type CamelCase<Text extends string> = Text extends `${infer Word}-${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Text;

type ValueOf<Row extends FlagRow> = Row[2] extends { parse(text: string, previous: never): infer Value }
  ? Value
  : Row[2] extends { choices: readonly (infer Choice)[] }
    ? Choice
    : Row[0] extends `${string}--no-${string}`
      ? false
      : Row[0] extends `${string}...>`
        ? string[]
        : Row[0] extends `${string}<${string}`
          ? string
          : true;

/** An option with a default, which always has a value. */
type WithDefault = readonly [flags: string, description: string, more: { readonly default: string }];

/** Values of the options of a table, as the action of a command gets them. */
export type FlagsOf<Table extends FlagTable> = {
  [Row in Exclude<Table["rows"][number], WithDefault> as NameOf<Row[0]>]?: ValueOf<Row>;
} & {
  [Row in Extract<Table["rows"][number], WithDefault> as NameOf<Row[0]>]: ValueOf<Row>;
};

/** Writes contracts/ASSUMPTIONS.md from the assumption catalogue. */
import type { Assumption } from "../contract/assumptions/assumption.js";
import { assumptions } from "../service/assumptions.js";

const intro = `# Assumptions

Where the interface of the service leaves a question open, the sandbox behaves as described here.
Entries with values can be switched: under \`"assumptions"\` in \`standin.config.json\`, with the environment variable
\`STANDIN_ASSUMPTIONS="id=value,id=value"\`, or with the flag \`--assume id=value\`. Flags override the environment, which
overrides the config.
`;

const groupOf = (row: Assumption): string => row.id.split(".", 1)[0] ?? row.id;

const title = (group: string): string => group.charAt(0).toUpperCase() + group.slice(1).replaceAll("_", " ");

const paragraph = (text: string): string => {
  const lines = text.split("\n");
  return lines.length === 1 ? text : lines.map((line) => `- ${line}`).join("\n");
};

function valuesOf({ id, switch: values }: Assumption): string[] {
  if (!values) return [];
  const others = Object.entries(values.alternatives).map(
    ([value, meaning]) => `- \`${id}=${value}\`: ${meaning}`,
  );
  return ["Values:", [`- \`${id}=${values.default}\`: the default, as above`, ...others].join("\n")];
}

const section = (row: Assumption): string =>
  [
    `### ${row.id}`,
    `**${row.question}**`,
    paragraph(row.default),
    `Why: ${row.reason}`,
    ...valuesOf(row),
  ].join("\n\n");

export function formatAssumptions(): string {
  const groups = new Map<string, Assumption[]>();
  for (const row of assumptions) groups.set(groupOf(row), [...(groups.get(groupOf(row)) ?? []), row]);
  const chapters = [...groups].map(([name, rows]) =>
    [`## ${title(name)}`, ...rows.map(section)].join("\n\n"),
  );
  return `${[intro.trimEnd(), ...chapters].join("\n\n")}\n`;
}

/** Reads the rules that every account of a run has, from scenario files. */
import type { RuleFields } from "../../rules/rules.js";
import { UsageError } from "../errors.js";
import { readValidSource } from "../scenario/sources.js";

/** Rejects with a UsageError for a scenario that has more than rules, or none. */
export async function readRules(files: readonly string[]): Promise<RuleFields[]> {
  const sources = await Promise.all(files.map(readValidSource));
  return sources.flatMap(({ file, name, scenario }) => {
    const others = Object.keys(scenario).filter((part) => !["name", "description", "rules"].includes(part));
    if (others.length > 0)
      throw new UsageError(
        `--with takes rules alone, and ${file} also has ${others.join(", ")}; "standin scenario run ${file}" plays it`,
      );
    if (!scenario.rules) throw new UsageError(`--with takes rules, and ${file} has none`);
    return scenario.rules.map((rule) => ({ ...rule, scenario: name }));
  });
}

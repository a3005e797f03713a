/** Reads `standin.config.json`. Flags and environment variables override its settings. */
import { existsSync } from "node:fs";
import * as Type from "typebox";
import { optionFields, optionProblems } from "../contract/options.js";
import { readJsonFile } from "../contract/read-file.js";
import { UsageError } from "./errors.js";

const ConfigSchema = Type.Object(
  { ...optionFields, memory: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
export type Config = Type.Static<typeof ConfigSchema>;

export const defaultConfigFile = "standin.config.json";

/** Reads the config from `file`. Without one, reads the default config file if it exists. */
export async function readConfig(file: string | undefined): Promise<Config> {
  const path = file ?? defaultConfigFile;
  if (file === undefined && !existsSync(path)) return {};
  const config = await readJsonFile(path, `the config file ${path}`);
  const problems = await optionProblems(ConfigSchema, config);
  if (problems.length > 0) throw new UsageError(`the config file ${path} is invalid: ${problems.join(" ")}`);
  return config as Config;
}

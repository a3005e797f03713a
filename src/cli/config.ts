/** `standin.config.json`: what the flags can say, kept in a file; flags and environment count more. */
import { existsSync, readFileSync } from "node:fs";
import * as Type from "typebox";
import { optionFields, optionProblems } from "../contract/options.js";

const ConfigSchema = Type.Object(
  { ...optionFields, memory: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
export type Config = Type.Static<typeof ConfigSchema>;

export const defaultConfigFile = "standin.config.json";

/** What was asked for cannot be: one line for stderr, exit code 2. */
export class UsageError extends Error {}

/** The config in `file`; without one, in the working folder where there is one. */
export async function readConfig(file: string | undefined): Promise<Config> {
  const path = file ?? defaultConfigFile;
  if (file === undefined && !existsSync(path)) return {};
  let config: unknown;
  try {
    config = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new UsageError(`the config ${path} cannot be read: ${(error as Error).message}`);
  }
  const wrong = await optionProblems(ConfigSchema, config);
  if (wrong.length > 0) throw new UsageError(`the config ${path} is not right: ${wrong.join(" ")}`);
  return config as Config;
}

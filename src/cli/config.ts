/** `standin.config.json`: what the flags can say, kept in a file; flags and environment count more. */
import { existsSync, readFileSync } from "node:fs";
import * as Type from "typebox";
import { compileValidator, detailsOf } from "../contract/validate.js";

const ConfigSchema = Type.Object(
  {
    port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535 })),
    host: Type.Optional(Type.String()),
    publicUrl: Type.Optional(Type.String({ format: "uri" })),
    allowHosts: Type.Optional(Type.Array(Type.String())),
    allowOrigins: Type.Optional(Type.Array(Type.String())),
    data: Type.Optional(Type.String()),
    memory: Type.Optional(Type.Boolean()),
    durability: Type.Optional(Type.Enum(["process", "power"])),
    seed: Type.Optional(Type.String()),
    latency: Type.Optional(Type.Enum(["none", "documented"])),
    registeredKeysOnly: Type.Optional(Type.Boolean()),
    keys: Type.Optional(Type.Array(Type.String())),
    adminToken: Type.Optional(Type.String()),
    livekit: Type.Optional(
      Type.Object(
        {
          url: Type.Optional(Type.String()),
          key: Type.Optional(Type.String()),
          secret: Type.Optional(Type.String()),
        },
        { additionalProperties: false },
      ),
    ),
    domains: Type.Optional(
      Type.Object(
        {
          lookup: Type.Optional(Type.Enum(["simulated", "real"])),
          resolver: Type.Optional(Type.String()),
          origin: Type.Optional(Type.String()),
        },
        { additionalProperties: false },
      ),
    ),
    tools: Type.Optional(
      Type.Object(
        {
          ffmpeg: Type.Optional(Type.Enum(["auto", "off"])),
          libreoffice: Type.Optional(Type.Enum(["auto", "off"])),
        },
        { additionalProperties: false },
      ),
    ),
    assumptions: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
  },
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
  const validate = await compileValidator(ConfigSchema, "json");
  if (!validate(config)) {
    const why = detailsOf(validate).map(({ message }) =>
      message.replace("of this operation", "of the config"),
    );
    throw new UsageError(`the config ${path} is not right: ${why.join(" ")}`);
  }
  return config as Config;
}

/** What a sandbox can be told, as the config file and the library's options have it, and what is wrong with them. */
import { closest } from "fastest-levenshtein";
import * as Type from "typebox";
import { compileValidator, detailsOf } from "./contract/validate.js";

const text = Type.Optional(Type.String());
const texts = Type.Optional(Type.Array(Type.String()));
const textOrNone = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const flag = Type.Optional(Type.Boolean());
const closed = { additionalProperties: false };

export const optionFields = {
  port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535 })),
  host: text,
  publicUrl: textOrNone,
  allowHosts: texts,
  allowOrigins: texts,
  data: textOrNone,
  durability: Type.Optional(Type.Enum(["process", "power"])),
  seed: text,
  latency: Type.Optional(Type.Enum(["none", "documented"])),
  registeredKeysOnly: flag,
  keys: texts,
  adminToken: textOrNone,
  livekit: Type.Optional(Type.Object({ url: text, key: text, secret: text }, closed)),
  domains: Type.Optional(
    Type.Object(
      { lookup: Type.Optional(Type.Enum(["simulated", "real"])), resolver: textOrNone, origin: textOrNone },
      closed,
    ),
  ),
  tools: Type.Optional(
    Type.Object(
      {
        ffmpeg: Type.Optional(Type.Enum(["auto", "off"])),
        libreoffice: Type.Optional(Type.Enum(["auto", "off"])),
      },
      closed,
    ),
  ),
  assumptions: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
};

/** The library's options but for `warn`, which is no data. */
const LibraryOptions = Type.Object({ ...optionFields, validateReplies: flag }, closed);

/** Throws a TypeError that says what is wrong with the options of `startSandbox`. */
export async function checkOptions(options: unknown): Promise<void> {
  const { warn, ...data } = (options ?? {}) as Record<string, unknown>;
  const wrong = typeof options === "object" ? await problemsOf(LibraryOptions, data) : ["must be an object."];
  if (warn !== undefined && typeof warn !== "function") wrong.push("warn must be a function.");
  const { publicUrl } = data;
  if (wrong.length === 0 && publicUrl && !isWebAddress(publicUrl))
    wrong.push(`publicUrl must be an http or https URL; got ${JSON.stringify(publicUrl)}.`);
  if (wrong.length > 0) throw new TypeError(`the options of startSandbox are not right: ${wrong.join(" ")}`);
}

export const isWebAddress = (text: unknown): text is string =>
  typeof text === "string" && URL.canParse(text) && /^https?:/.test(text);

/** A sentence for each thing that is wrong with the options. */
export async function problemsOf(schema: Type.TObject, options: unknown): Promise<string[]> {
  const validate = await compileValidator(schema, "json");
  if (validate(options)) return [];
  const known = namesIn(schema);
  return detailsOf(validate).map(({ code, param, message }) =>
    code === "unknown_field" ? `${param} is not known; the nearest is ${closest(param, known)}.` : message,
  );
}

/** Of all fields, those within others with dots. */
const namesIn = ({ properties }: Type.TObject): string[] =>
  Object.entries(properties).flatMap(([name, field]) => [
    name,
    ...(Type.IsObject(field) ? namesIn(field).map((inner) => `${name}.${inner}`) : []),
  ]);

/** Reads and validates what a request brings: parameters, query, body or form. */
import type { TObject } from "typebox";
import type { Assumptions } from "../contract/assumptions.js";
import { type ErrorDetail, Refusal } from "../contract/errors.js";
import type { Operation, UploadedFile } from "../contract/operation.js";
import { compileValidator, detailsOf, mostDetails, type Source, validatorOf } from "../contract/validate.js";
import { parseJson, readJsonText } from "./body.js";
import type { Exchange } from "./exchange.js";

export interface RawInput {
  query: Record<string, unknown>;
  body: Record<string, unknown>;
  files: Record<string, UploadedFile>;
}

const nothing = Object.freeze({});

/** Bytes in, values out; nothing is validated yet. */
export async function readInput(exchange: Exchange, operation: Operation<never>): Promise<RawInput> {
  const query = exchange.search === "" ? {} : readQuery(exchange.search);
  if (operation.upload) {
    const { readForm } = await import("./upload.js");
    const { fields, files } = await readForm(exchange.request, exchange.response, operation.upload);
    return { query, body: fields, files };
  }
  if (!operation.body) return { query, body: nothing, files: nothing };
  exchange.bodyText = await readJsonText(exchange.request);
  return { query, body: parseJson(exchange.bodyText), files: nothing };
}

function readQuery(search: string): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  const all = new URLSearchParams(search);
  for (const name of new Set(all.keys())) {
    const values = all.getAll(name);
    Object.defineProperty(query, name, {
      value: values.length === 1 ? values[0] : values,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return query;
}

/** Throws one Refusal that names every field that is wrong. */
export async function validateInput(
  exchange: Exchange,
  operation: Operation<never>,
  input: RawInput,
  assumptions: Assumptions,
): Promise<void> {
  const details: ErrorDetail[] = [];
  const strict = assumptions["fields.unmarked"] === "refused" && exchange.mounted?.layer === "service";
  const check = async (schema: TObject | undefined, value: Record<string, unknown>, source: Source) => {
    if (!schema) return;
    const validate = validatorOf(schema, source) ?? (await compileValidator(schema, source));
    if (!validate(value)) details.push(...detailsOf(validate));
    if (strict) details.push(...unknownFields(schema, value));
  };
  if (operation.params) await check(operation.params, exchange.params as Record<string, unknown>, "text");
  if (operation.query) await check(operation.query, input.query, "text");
  if (operation.body) await check(operation.body, input.body, operation.upload ? "text" : "json");
  for (const name of Object.keys(operation.upload ?? nothing)) {
    if (!input.files[name]) {
      details.push({
        param: name,
        code: "missing_field",
        message: `${name} is required: a file in a form field of that name.`,
      });
    }
  }
  if (details.length > 0) throw toRefusal(details);
}

const unknownFields = (schema: TObject, value: Record<string, unknown>): ErrorDetail[] =>
  Object.keys(value)
    .filter((name) => !Object.hasOwn(schema.properties, name))
    .slice(0, mostDetails)
    .map((name) => ({
      param: name,
      code: "unknown_field" as const,
      message: `${name} is not a field of this operation; it takes ${Object.keys(schema.properties).join(", ")}.`,
    }));

/** One code when all details share it, validation_error otherwise. */
function toRefusal(details: readonly ErrorDetail[]): Refusal {
  const [first] = details as [ErrorDetail, ...ErrorDetail[]];
  const code = details.every((detail) => detail.code === first.code) ? first.code : "validation_error";
  const message = details.map((detail) => detail.message).join(" ");
  return new Refusal(code, { param: first.param, message, details });
}

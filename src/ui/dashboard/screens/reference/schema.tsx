/** The fields of a schema and of the objects inside, with their types, limits and descriptions. */
import { describeSchema, type SchemaWords } from "../../../../contract/schema-walk.js";
import type { Parameter, Schema } from "../../api/operations.js";
import { Text } from "../../pieces/code.js";
import { plural } from "../../pieces/format.js";

const formatValue = (value: unknown): string =>
  `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;

const words: SchemaWords = {
  or: " or ",
  choice: (values) => `${values.length === 1 ? "always" : "one of"} ${values.map(formatValue).join(", ")}`,
  list: (items) => `list of ${items}`,
  leaf: ({ type, format }) => `${type ?? "any value"}${format ? ` (${format})` : ""}`,
};

/** Describes the type of a value: `string (date)`, `one of a, b`, `list of string`, `string or null`. */
const describeType = (schema: Schema): string => describeSchema(schema, words);

function formatRange(min: number | undefined, max: number | undefined, unit = ""): string[] {
  if (min === undefined && max === undefined) return [];
  if (min === max) return [`exactly ${min}${unit}`];
  if (max === undefined) return [`at least ${min}${unit}`];
  return [min === undefined ? `at most ${max}${unit}` : `${min} to ${max}${unit}`];
}

/** Describes the limits of a value, its default and an example. */
function describeLimits(schema: Schema): string[] {
  const { exclusiveMinimum, pattern, default: usual, examples = [], anyOf, oneOf } = schema;
  const [example] = examples;
  return [
    ...formatRange(schema.minimum, schema.maximum),
    ...(exclusiveMinimum === undefined ? [] : [`more than ${exclusiveMinimum}`]),
    ...formatRange(schema.minLength, schema.maxLength, " characters"),
    ...formatRange(schema.minItems, schema.maxItems, " items"),
    ...formatRange(schema.minProperties, undefined, " field"),
    ...(pattern === undefined ? [] : [`pattern \`${pattern}\``]),
    ...(anyOf ?? oneOf ?? []).flatMap(describeLimits),
    ...(usual === undefined ? [] : [`default ${formatValue(usual)}`]),
    ...(example === undefined ? [] : [`example ${formatValue(example)}`]),
  ];
}

export interface Field {
  name: string;
  schema: Schema;
  isRequired: boolean;
  /** Place of the field in the request, such as the query. */
  place?: string;
}

/** Returns a parameter as a field. */
export const parameterField = ({ name, description, required, schema }: Parameter): Field => ({
  name,
  schema: description ? { ...schema, description } : schema,
  isRequired: required,
});

/** Returns the fields of an object. `<name>` stands for any name. */
export function fieldRows({
  properties,
  patternProperties,
  additionalProperties,
  required,
}: Schema): Field[] {
  const others = [
    ...Object.values(patternProperties ?? {}),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ];
  return [
    ...Object.entries(properties ?? {}).map(([name, schema]) => ({
      name,
      schema,
      isRequired: required?.includes(name) ?? false,
    })),
    ...others.map((schema) => ({ name: "<name>", schema, isRequired: false })),
  ];
}

/** Returns the fields of each object that a value, or an item of a list, may be. */
function objectsIn(schema: Schema): Field[][] {
  const fields = fieldRows(schema);
  const { anyOf, oneOf, items } = schema;
  const inside = [...(anyOf ?? oneOf ?? []), ...(items ? [items] : [])].flatMap(objectsIn);
  return fields.length > 0 ? [fields, ...inside] : inside;
}

/** Lists fields. The fields of objects inside are folded until they are opened. */
export const FieldList = ({ fields }: { fields: readonly Field[] }) => (
  <dl class="terms">
    {fields.map(({ name, schema, isRequired, place }) => (
      <div key={`${place} ${name}`}>
        <dt>
          <code>{name}</code>
          {isRequired && <span class="hint"> required</span>}
        </dt>
        <dd>
          <SchemaText schema={schema} place={place} />
          <Inside name={name} schema={schema} />
        </dd>
      </div>
    ))}
  </dl>
);

const SchemaText = ({ schema, place }: { schema: Schema; place?: string | undefined }) => (
  <>
    <span class="soft">
      <Text text={[...(place ? [place] : []), describeType(schema), ...describeLimits(schema)].join(", ")} />
    </span>
    {schema.description && (
      <div>
        <Text text={schema.description} />
      </div>
    )}
  </>
);

const Inside = ({ name, schema }: { name: string; schema: Schema }) => (
  <>
    {objectsIn(schema).map((fields, index) => (
      <details key={index}>
        <summary>
          {plural(fields.length, "field")} of <code>{name}</code>
        </summary>
        <FieldList fields={fields} />
      </details>
    ))}
  </>
);

/** Shows a whole body: its fields, the fields of each form that it may have, or its type alone. */
export function Body({ schema }: { schema: Schema }) {
  const forms = objectsIn(schema);
  return (
    <>
      {(forms.length !== 1 || !schema.properties) && (
        <div>
          <SchemaText schema={schema} />
        </div>
      )}
      {forms.map((fields, index) => (
        <FieldList key={index} fields={fields} />
      ))}
    </>
  );
}

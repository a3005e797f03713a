/** One operation: its fields, outcomes, errors, test values and an example, and a form to try it out. */
import { commonOutcomes } from "../../../../contract/decision.js";
import type { Schema, TryableOperation } from "../../api/contract.js";
import { control } from "../../api/control.js";
import { Code } from "../../pieces/code.js";
import { Detail, Facts, Section } from "../../pieces/layout.js";
import { Tabs } from "../../pieces/tabs.js";
import { useResource } from "../../state/resource.js";
import { href, hrefHere, route } from "../../state/route.js";
import { baseUrl, serviceKey } from "../../state/session.js";
import { RequestForm } from "../activity/try-request.js";
import { formatExample, languages } from "./examples.js";

export function Operation({ operation }: { operation: TryableOperation }) {
  const { id, method, path, description } = operation;
  return (
    <Detail
      title={
        <code>
          {method} {path}
        </code>
      }
      back={hrefHere()}
    >
      {description && <p>{description}</p>}
      <Section title={`Try ${id}`}>
        <RequestForm operation={operation} />
        <p>
          <a href={href(["activity"], { operation: id })}>Earlier requests and what they caused</a>
        </p>
      </Section>
      <Fields operation={operation} />
      <Outcomes operation={operation} />
      <Errors operation={operation} />
      <Example operation={operation} />
    </Detail>
  );
}

/** Describes a schema's type: `string (date)`, `one of a, b`, `string or null`. */
function describeType({ type, format, enum: choices, anyOf, items }: Schema): string {
  if (choices) return `one of ${choices.join(", ")}`;
  if (anyOf) return anyOf.map(describeType).join(" or ");
  if (items) return `list of ${describeType(items)}`;
  return `${type ?? "any"}${format ? ` (${format})` : ""}`;
}

function Fields({ operation: { parameters, body } }: { operation: TryableOperation }) {
  const rows = [
    ...parameters.map(({ name, required = false, schema, in: place }) => ({ name, required, schema, place })),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
      name,
      required: body?.required?.includes(name) ?? false,
      schema,
      place: "body",
    })),
  ];
  if (rows.length === 0) return null;
  return (
    <Section title="Fields">
      <dl class="reference-terms">
        {rows.map(({ name, required, schema, place }) => (
          <div key={`${place} ${name}`}>
            <dt>
              <code>{name}</code>
              {required && <span class="hint"> required</span>}
            </dt>
            <dd>
              <span class="soft">
                {place}, {describeType(schema)}
              </span>
              {schema.description && <div>{schema.description}</div>}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Outcomes({ operation: { id, outcomes } }: { operation: TryableOperation }) {
  const read = useResource(control.outcomes);
  const values = read.data.value?.items.find(({ operation }) => operation === id)?.test_values ?? [];
  const own = Object.entries(outcomes).filter(([name]) => !(name in commonOutcomes));
  return (
    <>
      {own.length > 0 && (
        <Section title="Outcomes">
          <Facts rows={own.map(([name, meaning]) => [name, meaning])} />
        </Section>
      )}
      {values.length > 0 && (
        <Section title="Test values">
          <dl class="reference-terms">
            {values.map(({ where, value, outcome, note }) => (
              <div key={`${where} ${value}`}>
                <dt>
                  <code>{value}</code>
                </dt>
                <dd>
                  <code>{outcome}</code> {note} <span class="soft">({where})</span>
                </dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
    </>
  );
}

const Errors = ({ operation: { errors } }: { operation: TryableOperation }) => (
  <Section title="Errors">
    <dl class="reference-terms">
      {errors.map(({ status, code, summary }) => (
        <div key={`${status} ${code}`}>
          <dt>
            {status} <code>{code}</code>
          </dt>
          <dd>{summary}</dd>
        </div>
      ))}
    </dl>
  </Section>
);

function Example({ operation }: { operation: TryableOperation }) {
  const chosen = languages.find((name) => name === route.value.query.get("in")) ?? "curl";
  const tabs = languages.map(
    (name) =>
      [
        name,
        href(["reference", operation.id], { ...Object.fromEntries(route.value.query), in: name }),
        name === chosen,
      ] as const,
  );
  const text = formatExample(chosen, operation, baseUrl, serviceKey.value ?? "YOUR_KEY");
  return (
    <Section title="Example">
      <Tabs label="Language of the example" tabs={tabs} />
      <Code text={text} label={`Example in ${chosen}`} />
    </Section>
  );
}

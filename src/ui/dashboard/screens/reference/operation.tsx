/** One operation: how it is called, what it answers, what it may cause, and a form to try it out. */
import { commonOutcomes } from "../../../../contract/operation.js";
import { toneOf } from "../../../../documents/story/story.js";
import type { ApiOperation, Contract, ListedPrice, OperationError } from "../../api/contract.js";
import { call } from "../../api/control.js";
import { Code, Json, Paragraphs, Text } from "../../pieces/code.js";
import { plural } from "../../pieces/format.js";
import { Detail, FactList, Section, Tabs, Tag } from "../../pieces/layout.js";
import { useResource } from "../../state/resource.js";
import { href, route } from "../../state/route.js";
import { adminToken, basePath, baseUrl, serviceKey } from "../../state/session.js";
import { RequestForm } from "../activity/try-request.js";
import { AssumptionLinks } from "../assumptions/assumptions.js";
import { formatExample, languages } from "./examples.js";
import { Body, type Field, FieldList, fieldRows } from "./schema.js";

interface OperationProps {
  operation: ApiOperation;
  contract: Contract;
  /** Address of the list. */
  back: string;
}

export function OperationPanel({ operation, contract, back }: OperationProps) {
  const { id, method, path, summary, description, credential, assumptions } = operation;
  return (
    <Detail
      title={
        <code>
          {method} {path}
        </code>
      }
      back={back}
    >
      <p>
        <b>
          <Text text={summary} />
        </b>
      </p>
      {description && <Paragraphs text={description} />}
      <About operation={operation} contract={contract} />
      <Section title={`Try ${id}`}>
        {isStream(operation) ? (
          <p>Its reply is a stream without an end, which curl shows as it comes.</p>
        ) : (
          <RequestForm operation={operation} />
        )}
        {(credential === "key" || credential === "session") && (
          <p>
            <a href={href(["activity"], { operation: id })}>Earlier requests and what they caused</a>
          </p>
        )}
      </Section>
      <Example operation={operation} />
      <RequestFields operation={operation} />
      <Outcomes operation={operation} />
      <TestValues operation={operation} />
      <Replies operation={operation} />
      <Errors operation={operation} all={contract.operations} />
      <AssumptionLinks ids={assumptions} />
    </Detail>
  );
}

const isStream = ({ replies }: ApiOperation): boolean =>
  replies.some(({ type }) => type === "text/event-stream");

function formatPrice({ price, currency, unit, note, key }: ListedPrice): string {
  if (note) return note;
  return price === undefined ? `the entry ${key} of the price list` : `${currency} ${price} per ${unit}`;
}

const credentials: Readonly<Record<ApiOperation["credential"], string>> = {
  key: "The API key in `X-Service-Key`",
  session: "A session token in `Authorization: Bearer …`, not the API key",
  control:
    "`X-Service-Key` or `X-Sandbox-Account` chooses the account; `X-Sandbox-Admin` where there is an admin token",
  none: "None",
};

function About({ operation, contract: { events } }: Pick<OperationProps, "operation" | "contract">) {
  const { price, plan, isTestModeOnly, credential, emits, bodyType } = operation;
  const emitted = events.filter(({ kind }) => emits.includes(kind));
  return (
    <FactList
      rows={[
        ["Credential", <Text key="credential" text={credentials[credential]} />],
        ["Body", bodyType],
        ["Price", price && formatPrice(price)],
        ["Plan", plan],
        ["Mode", isTestModeOnly && "Test keys only"],
        [
          "Events",
          emitted.length > 0 && (
            <span class="links">
              {emitted.map(({ id, kind }) => (
                <a key={id} href={href(["reference", id])}>
                  {kind}
                </a>
              ))}
            </span>
          ),
        ],
      ]}
    />
  );
}

function RequestFields({ operation: { parameters, body } }: { operation: ApiOperation }) {
  const fields: Field[] = [
    ...parameters.map(({ name, description, required = false, schema, in: place }) => ({
      name,
      schema: description ? { ...schema, description } : schema,
      isRequired: required,
      place,
    })),
    ...fieldRows(body ?? {}),
  ];
  if (fields.length === 0 && !body) return null;
  return (
    <Section title="Fields">
      {fields.length > 0 ? <FieldList fields={fields} /> : body && <Body schema={body} />}
    </Section>
  );
}

function Outcomes({ operation: { id, outcomes } }: { operation: ApiOperation }) {
  const own = Object.entries(outcomes).filter(([name]) => !(name in commonOutcomes));
  const common = Object.keys(outcomes).filter((name) => name in commonOutcomes);
  if (common.length === 0) return null;
  return (
    <Section title="Outcomes">
      {own.length > 0 && (
        <dl class="terms">
          {own.map(([name, meaning], index) => (
            <div key={name}>
              <dt>
                <code>{name}</code> {index === 0 && <span class="hint">default</span>}
              </dt>
              <dd>
                <Text text={meaning} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p class="soft">
        Every operation also has <Text text={common.map((name) => `\`${name}\``).join(", ")} />.{" "}
        <a href={`${basePath}/docs/values#${id}`}>How outcomes are chosen</a>
      </p>
    </Section>
  );
}

function TestValues({ operation: { id, outcomes } }: { operation: ApiOperation }) {
  const read = useResource(() => call("listOutcomes"));
  const values = read.data.value?.items.find(({ operation }) => operation === id)?.test_values ?? [];
  if (values.length === 0 || Object.keys(outcomes).length === 0) return null;
  return (
    <Section title="Test values">
      <dl class="terms">
        {values.map(({ where, value, outcome, note }) => (
          <div key={`${where} ${value}`}>
            <dt>
              <code>{value}</code>
            </dt>
            <dd>
              <code>{outcome}</code> <Text text={note} /> <span class="soft">({where})</span>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

const Replies = ({ operation: { replies } }: { operation: ApiOperation }) => (
  <Section title="Replies">
    {replies.map(({ status, description, type, schema }) => (
      <div key={status}>
        <p>
          <Tag tone={toneOf(Number(status))}>{status}</Tag> <Text text={description} />{" "}
          <span class="soft">{type}</span>
        </p>
        {schema && <Body schema={schema} />}
      </div>
    ))}
  </Section>
);

function Example({ operation }: { operation: ApiOperation }) {
  const { path, query } = route.value;
  const chosen = languages.find((name) => name === query.get("in")) ?? "curl";
  const tabs = languages.map(
    (name) =>
      [
        name,
        href(["reference", ...path], { ...Object.fromEntries(query), in: name }),
        name === chosen,
      ] as const,
  );
  const text = formatExample(chosen, operation, {
    baseUrl,
    key: serviceKey.value ?? "YOUR_KEY",
    hasToken: adminToken.value !== null,
  });
  return (
    <Section title="Example">
      <Tabs label="Language of the example" tabs={tabs} />
      <Code text={text} label={`Example in ${chosen}`} />
    </Section>
  );
}

const ErrorLine = ({ status, code, summary, body }: OperationError) => (
  <details>
    <summary>
      {status} <code>{code}</code> <Text text={summary} />
    </summary>
    <Json value={body} label={`Body of ${code}`} />
  </details>
);

const ErrorLines = ({ errors }: { errors: readonly OperationError[] }) => (
  <>
    {errors.map((error) => (
      <ErrorLine key={`${error.status} ${error.code}`} {...error} />
    ))}
  </>
);

interface ErrorsProps {
  operation: ApiOperation;
  all: readonly ApiOperation[];
}

/** The errors of an operation with their bodies. Those that most operations have are one line. */
function Errors({ operation: { errors }, all }: ErrorsProps) {
  if (errors.length === 0) return null;
  const isCommon = ({ code }: OperationError) =>
    all.filter((one) => one.errors.some((error) => error.code === code)).length > all.length / 2;
  const common = errors.filter(isCommon);
  return (
    <Section title="Errors">
      <div class="reference-errors">
        <ErrorLines errors={errors.filter((error) => !isCommon(error))} />
        {common.length > 0 && (
          <details>
            <summary>{plural(common.length, "error")} that most operations have</summary>
            <ErrorLines errors={common} />
          </details>
        )}
      </div>
    </Section>
  );
}

/** An operation: its request, its replies, its effects, and a form to try it out. */
import { commonOutcomes } from "../../../../contract/operation.js";
import { toneOf } from "../../../../documents/story/story.js";
import type { ApiOperation, Contract } from "../../api/operations.js";
import { useOperations } from "../../api/operations.js";
import { Json, Paragraphs, Text } from "../../pieces/code.js";
import { plural } from "../../pieces/format.js";
import { Detail, FactList, Section, Tag } from "../../pieces/layout.js";
import { href } from "../../state/route.js";
import { RequestForm } from "../activity/try-request.js";
import { AssumptionLinks } from "../assumptions/assumptions.js";
import { Body, type Field, FieldList, fieldRows, parameterField } from "./schema.js";

interface OperationProps {
  operation: ApiOperation;
  contract: Contract;
  /** Address of the list. */
  back: string;
}

export function OperationPanel({ operation, contract, back }: OperationProps) {
  const { id, method, path, summary, description, auth, assumptions } = operation;
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
      <Section title="Try it">
        {isStream(operation) ? (
          <p>Its reply is a stream without an end, which curl shows as it comes.</p>
        ) : (
          <RequestForm operation={operation} />
        )}
        {(auth === "key" || auth === "session") && (
          <p>
            <a href={href(["activity"], { operation: id })}>Earlier requests and what they caused</a>
          </p>
        )}
      </Section>
      <RequestFields operation={operation} />
      <Outcomes operation={operation} />
      <TestValues operation={operation} />
      <Replies operation={operation} />
      <Errors operation={operation} all={contract.items} />
      <AssumptionLinks ids={assumptions} />
    </Detail>
  );
}

const isStream = ({ replies }: ApiOperation): boolean =>
  replies.some(({ type }) => type === "text/event-stream");

/** Price of a call. Only a key or a note if the price list has no single price. */
interface ListedPrice {
  key?: string;
  price?: number;
  currency?: string;
  unit?: string;
  note?: string;
}

function formatPrice({ price, currency, unit, note, key }: ListedPrice): string {
  if (note) return note;
  return price === undefined ? `the entry ${key} of the price list` : `${currency} ${price} per ${unit}`;
}

const credentials: Readonly<Record<ApiOperation["auth"], string>> = {
  key: "The API key in `X-Service-Key`",
  session: "A session token in `Authorization: Bearer …`, not the API key",
  control:
    "`X-Service-Key` or `X-Sandbox-Account` chooses the account; `X-Sandbox-Admin` where there is an admin token",
  none: "None",
};

function About({ operation, contract: { events } }: Pick<OperationProps, "operation" | "contract">) {
  const { price, plan, test_mode_only, auth, emits, body } = operation;
  const emitted = events.filter(({ event }) => emits.includes(event));
  return (
    <FactList
      rows={[
        ["Credential", <Text key="credential" text={credentials[auth]} />],
        ["Body", body?.type],
        ["Price", price && formatPrice(price)],
        ["Plan", plan],
        ["Mode", test_mode_only && "Test keys only"],
        [
          "Events",
          emitted.length > 0 && (
            <span class="links">
              {emitted.map(({ id, event }) => (
                <a key={id} href={href(["reference", id])}>
                  {event}
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
    ...parameters.map((parameter) => ({ ...parameterField(parameter), place: parameter.in })),
    ...fieldRows(body?.schema ?? {}),
  ];
  if (fields.length === 0 && !body) return null;
  return (
    <Section title="Fields">
      {fields.length > 0 ? <FieldList fields={fields} /> : body && <Body schema={body.schema} />}
    </Section>
  );
}

function Outcomes({ operation }: { operation: ApiOperation }) {
  const { id } = operation;
  const outcomes = Object.entries(operation.outcomes);
  const own = outcomes.filter(([name]) => !(name in commonOutcomes));
  const common = outcomes.filter(([name]) => name in commonOutcomes);
  if (common.length === 0) return null;
  return (
    <Section title="Outcomes">
      <OutcomeList outcomes={own} hasDefault />
      <details class="soft">
        <summary>{plural(common.length, "outcome")} that every operation has</summary>
        <OutcomeList outcomes={common} />
      </details>
      <details class="soft">
        <summary>How an outcome is chosen</summary>
        <p>
          The first of these that applies decides. Each reply names the outcome in{" "}
          <code>X-Sandbox-Outcome</code>.
        </p>
        <ol class="numbered">
          <li>
            The request header <code>{`X-Sandbox-Outcome: ${outcomes[0]?.[0]}`}</code>, with any outcome of
            the operation
          </li>
          <li>
            <a href={href(["rules", "new"], { on: id })}>A rule</a>
          </li>
          <li>A test value in the request</li>
          <li>The default</li>
        </ol>
      </details>
    </Section>
  );
}

type Outcome = readonly [name: string, meaning: string];

const OutcomeList = ({ outcomes, hasDefault }: { outcomes: readonly Outcome[]; hasDefault?: true }) => (
  <dl class="terms">
    {outcomes.map(([name, meaning], index) => (
      <div key={name}>
        <dt>
          <code>{name}</code> {hasDefault && index === 0 && <span class="hint">default</span>}
        </dt>
        <dd>
          <Text text={meaning} />
        </dd>
      </div>
    ))}
  </dl>
);

function TestValues({ operation: { id, outcomes } }: { operation: ApiOperation }) {
  const values = useOperations().find(({ operation }) => operation === id)?.test_values ?? [];
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
          <Tag tone={toneOf(status)}>{status}</Tag> <Text text={description} />{" "}
          <span class="soft">{type}</span>
        </p>
        {schema && <Body schema={schema} />}
      </div>
    ))}
  </Section>
);

type Refusal = ApiOperation["refusals"][number];

const ErrorLine = ({ status, code, message, body }: Refusal) => (
  <details>
    <summary>
      {status} <code>{code}</code> <Text text={message} />
    </summary>
    <Json value={body} label={`Body of ${code}`} />
  </details>
);

const ErrorLines = ({ errors }: { errors: readonly Refusal[] }) => (
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

/** The errors of an operation with their bodies. Errors that most operations have share a line. */
function Errors({ operation: { refusals: errors }, all }: ErrorsProps) {
  if (errors.length === 0) return null;
  const isCommon = ({ code }: Refusal) =>
    all.filter((operation) => operation.refusals.some((error) => error.code === code)).length >
    all.length / 2;
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

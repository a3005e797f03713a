/** Sends a request to any operation of the service, as a client would: with the account's API key. */
import { batch, signal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { hidden } from "../../../../contract/redact.js";
import { exampleBody, exampleOf, isFile, readOperations, type TryableOperation } from "../../api/contract.js";
import { control } from "../../api/control.js";
import { Action } from "../../pieces/button.js";
import { Json } from "../../pieces/code.js";
import { AreaField, Form, SelectField, TextField } from "../../pieces/field.js";
import { Detail, Empty, Loaded, Section, Tag } from "../../pieces/layout.js";
import { useResource } from "../../state/resource.js";
import { go, href, route } from "../../state/route.js";
import { keepServiceKey, serviceKey } from "../../state/session.js";
import { statusTone } from "./row.js";
import { type FormValues, send, type TryReply } from "./send.js";

export function TryRequest({ id }: { id: string | undefined }) {
  const operations = useResource(readOperations);
  return (
    <Detail title="Try a request" back={href(["activity"])}>
      <Loaded of={operations}>
        {(all) => {
          const operation = all.find((one) => one.id === id);
          return (
            <>
              <OperationChoice all={all} id={id} />
              {operation && <RequestForm key={operation.id} operation={operation} />}
              {id && !operation && <Empty title={`There is no operation ${id}`} />}
            </>
          );
        }}
      </Loaded>
    </Detail>
  );
}

function OperationChoice({ all, id }: { all: readonly TryableOperation[]; id: string | undefined }) {
  const groups = [...new Set(all.map(({ group }) => group))];
  return (
    <div class="field">
      <label for="operation-choice">Operation</label>
      <select
        id="operation-choice"
        onChange={({ currentTarget }) => go(href(["activity", "try", currentTarget.value]))}
      >
        {!id && <option value="">Choose one</option>}
        {groups.map((group) => (
          <optgroup key={group} label={group}>
            {all
              .filter((operation) => operation.group === group)
              .map((operation) => (
                <option key={operation.id} value={operation.id} selected={operation.id === id}>
                  {operation.method} {operation.path}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </div>
  );
}

const placeholder = /^([a-z]+_)0123456789abcdef$/;

/** Puts the newest record's id where an example has none that exists. */
function fill(value: unknown, ids: readonly string[]): unknown {
  const [, prefix] = typeof value === "string" ? (placeholder.exec(value) ?? []) : [];
  return (prefix && ids.find((id) => id.startsWith(prefix))) || value;
}

function toValues(operation: TryableOperation): FormValues {
  const { parameters, body, bodyType } = operation;
  const isJson = bodyType === "application/json";
  const texts = isJson
    ? {}
    : Object.fromEntries(textFields(operation).map((name) => [name, signal(toText(name, operation))]));
  return {
    parameters: Object.fromEntries(
      parameters
        .filter((one) => one.in !== "header")
        .map(({ name, schema }) => [name, signal(String(exampleOf(schema) ?? ""))]),
    ),
    body: signal(isJson && body ? JSON.stringify(exampleBody(body), null, 2) : ""),
    texts,
    files: {},
    outcome: signal(""),
  };
}

const toText = (name: string, { body }: TryableOperation): string =>
  body?.required?.includes(name) ? String(exampleOf(body.properties?.[name] ?? {}) ?? "") : "";

const textFields = ({ body }: TryableOperation): string[] =>
  Object.entries(body?.properties ?? {}).flatMap(([name, field]) => (isFile(field) ? [] : [name]));

const fileFields = ({ body, bodyType }: TryableOperation): string[] =>
  bodyType === "application/json"
    ? []
    : Object.entries(body?.properties ?? {}).flatMap(([name, field]) => (isFile(field) ? [name] : []));

/** The form of an operation, with the reply and a link to what the request caused. */
export function RequestForm({ operation }: { operation: TryableOperation }) {
  const values = useMemo(() => toValues(operation), []);
  const key = useSignal(serviceKey.value ?? "");
  const reply = useSignal<TryReply | null>(null);
  const outcomes = useResource(control.outcomes);
  const named = outcomes.data.value?.items.find((one) => one.operation === operation.id)?.outcomes ?? [];
  useEffect(() => {
    prefill(values).catch(() => {});
  }, []);
  useEffect(() => {
    if (serviceKey.value && !key.value) key.value = serviceKey.value;
  }, [serviceKey.value]);
  const submit = async () => {
    keepServiceKey(key.value);
    reply.value = await send(operation, values, key.value);
  };
  return (
    <>
      <p>{operation.summary}</p>
      <Form>
        {Object.entries(values.parameters).map(([name, value]) => (
          <TextField key={name} label={name} value={value} mono />
        ))}
        {operation.bodyType === "application/json" && (
          <AreaField
            label="Body"
            value={values.body}
            rows={Math.min(16, values.body.value.split("\n").length + 1)}
            mono
          />
        )}
        {Object.entries(values.texts).map(([name, value]) => (
          <TextField key={name} label={name} value={value} mono />
        ))}
        {fileFields(operation).map((name) => (
          <div class="field" key={name}>
            <label for={`file-${name}`}>{name}</label>
            <input
              id={`file-${name}`}
              type="file"
              onChange={({ currentTarget }) => {
                values.files[name] = currentTarget.files?.[0] ?? null;
              }}
            />
          </div>
        ))}
        <div class="columns narrow">
          <SelectField
            label="Outcome"
            value={values.outcome}
            options={[["", "As the request implies"], ...named.map(({ name }) => [name, name] as const)]}
          />
          {!operation.needsSession && <TextField label="API key" value={key} mono required />}
        </div>
        <Action submits run={submit} look="primary">
          Send
        </Action>
      </Form>
      {reply.value && <Reply reply={reply.value} />}
    </>
  );
}

/** Fills in the request that is tried again, with the example's values for its secrets, or the ids of records that exist. */
async function prefill(values: FormValues): Promise<void> {
  const from = route.value.query.get("from");
  if (from) {
    const { body } = await control.request(from);
    if (!body) return;
    const example = JSON.parse(values.body.value || "{}") as Record<string, unknown>;
    const filled = JSON.parse(body, (name, value) => (value === hidden ? (example[name] ?? value) : value));
    values.body.value = JSON.stringify(filled, null, 2);
    return;
  }
  const { items } = await control.activity({ limit: 200 });
  const ids = items.flatMap(({ wrote }) => wrote.map(({ id }) => id));
  batch(() => {
    for (const value of Object.values(values.parameters)) value.value = String(fill(value.value, ids));
    if (!values.body.value) return;
    const body = Object.entries(JSON.parse(values.body.value) as object);
    const filled = Object.fromEntries(body.map(([name, value]) => [name, fill(value, ids)]));
    values.body.value = JSON.stringify(filled, null, 2);
  });
}

const Reply = ({ reply: { status, requestId, text, isText } }: { reply: TryReply }) => (
  <Section title="Reply">
    <p class="actions" role="status">
      <Tag tone={statusTone(status)}>{status}</Tag>
      {requestId && <a href={href(["activity", requestId])}>What it caused</a>}
    </p>
    {isText ? <Json value={text} label="Reply body" /> : <p>{text}</p>}
  </Section>
);

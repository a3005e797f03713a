/** Sends a request to any operation of the service, as a client would: with the account's API key. */
import { signal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { ReplyOf } from "../../../../contract/operation.js";
import type { listPeople } from "../../../../control/people.js";
import { toneOf } from "../../../../documents/story/story.js";
import { call } from "../../api/control.js";
import { type ApiOperation, readContract } from "../../api/operations.js";
import { Action } from "../../pieces/button.js";
import { Code, Json } from "../../pieces/code.js";
import { AreaField, Form, SelectField, TextField } from "../../pieces/field.js";
import { Detail, Empty, FactList, Loaded, Section, Tabs, Tag } from "../../pieces/layout.js";
import { useResource } from "../../state/resource.js";
import { go, href, route } from "../../state/route.js";
import { adminToken, baseUrl, keepServiceKey, serviceKey } from "../../state/session.js";
import { formatExample, languages } from "./examples.js";
import { CauseTree } from "./explanation.js";
import {
  bodyFields,
  changeBody,
  type FormValues,
  fileFields,
  prefill,
  requiredFields,
  send,
  type TryReply,
  takesJson,
  toValues,
} from "./request-form.js";
import { toTree } from "./rows.js";

export function TryRequest({ id }: { id: string | undefined }) {
  const contract = useResource(() => readContract("service"));
  return (
    <Detail title="Try a request" back={href(["activity"])}>
      <Loaded of={contract}>
        {({ items: all }) => {
          const operation = all.find((candidate) => candidate.id === id);
          return (
            <>
              <OperationChoice all={all} id={id} />
              {operation && <p>{operation.summary}</p>}
              {operation && <RequestForm key={operation.id} operation={operation} />}
              {id && !operation && <Empty title={`There is no operation ${id}`} />}
            </>
          );
        }}
      </Loaded>
    </Detail>
  );
}

function OperationChoice({ all, id }: { all: readonly ApiOperation[]; id: string | undefined }) {
  const sections = [...new Set(all.map(({ section }) => section))];
  return (
    <div class="field">
      <label for="operation-choice">Operation</label>
      <select
        id="operation-choice"
        onChange={({ currentTarget }) => go(href(["activity", "try", currentTarget.value]))}
      >
        {!id && <option value="">Choose one</option>}
        {sections.map((section) => (
          <optgroup key={section} label={section}>
            {all
              .filter((operation) => operation.section === section)
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

/** The form of an operation, with the reply, the effects of the request, and the same request in several languages. */
export function RequestForm({ operation }: { operation: ApiOperation }) {
  const { auth } = operation;
  const values = useMemo(() => toValues(operation), []);
  const key = useSignal(serviceKey.value ?? "");
  const reply = useSignal<TryReply | null>(null);
  const outcomes = Object.keys(operation.outcomes);
  useEffect(() => {
    prefill(values).catch(() => {});
  }, []);
  useEffect(() => {
    if (serviceKey.value && !key.value) key.value = serviceKey.value;
  }, [serviceKey.value]);
  const submit = async () => {
    if (auth === "key") keepServiceKey(key.value);
    reply.value = await send(operation, values, key.value);
  };
  return (
    <>
      <Form>
        {values.parameters.map(({ parameter: { name, required, example }, value }) => (
          <TextField
            key={name}
            label={name}
            value={value}
            required={required}
            placeholder={String(example)}
            mono
          />
        ))}
        {takesPerson(operation) && <SamplePerson operation={operation} values={values} />}
        {takesJson(operation) && (
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
        <div class="columns">
          {outcomes.length > 0 && (
            <SelectField
              label="Outcome"
              value={values.outcome}
              options={[["", "As the request implies"], ...outcomes]}
            />
          )}
          {auth === "key" && (
            <TextField
              label="API key"
              value={key}
              placeholder="svc_test_…"
              hint={
                serviceKey.value === null
                  ? "The sandbox does not store keys: enter the key that the client of this account sends."
                  : ""
              }
              mono
              required
            />
          )}
        </div>
        <Action submits run={submit} look="primary">
          Send
        </Action>
      </Form>
      {reply.value && <Reply reply={reply.value} isActivity={isActivity(operation)} />}
      <Example operation={operation} values={values} apiKey={key.value} />
    </>
  );
}

interface ExampleProps {
  operation: ApiOperation;
  values: FormValues;
  apiKey: string;
}

/** The request that the form sends, for a terminal and in languages. */
function Example({ operation, values, apiKey }: ExampleProps) {
  const { screen, path, query } = route.value;
  const chosen = languages.find((name) => name === query.get("in")) ?? "curl";
  const text = formatExample(chosen, operation, values, {
    baseUrl,
    key: apiKey || "YOUR_KEY",
    hasToken: adminToken.value !== null,
  });
  return (
    <Section title="Example">
      <Tabs
        label="Language of the example"
        tabs={languages.map((name) => [
          name,
          href([screen, ...path], { ...Object.fromEntries(query), in: name }),
          name === chosen,
        ])}
      />
      <Code text={text} label={`Example in ${chosen}`} />
    </Section>
  );
}

/** Returns whether a call is in the activity log, which leaves out reads through the control API. */
const isActivity = ({ auth, method }: ApiOperation): boolean =>
  auth === "key" || auth === "session" || (auth === "control" && method !== "GET");

/** The reply to a request that was tried, with a link to what the request caused. */
function Reply({ reply, isActivity }: { reply: TryReply; isActivity: boolean }) {
  const { status, requestId, duration, headers, text, body } = reply;
  return (
    <Section title="Reply">
      <p class="actions" role="status">
        <Tag tone={toneOf(status)}>{status}</Tag>
        <span class="soft">{Math.round(duration)} ms</span>
        {requestId && isActivity && <a href={href(["activity", requestId])}>What it caused</a>}
      </p>
      {text === null ? (
        <File body={body} headers={headers} />
      ) : (
        text && <Json value={text} label="Reply body" />
      )}
      {requestId && isActivity && <Caused key={requestId} id={requestId} />}
      <details>
        <summary>Headers</summary>
        <FactList rows={headers} />
      </details>
    </Section>
  );
}

/** The effects of a request so far. */
function Caused({ id }: { id: string }) {
  const read = useResource(
    () => call("explainActivity", { params: { id } }),
    [id],
    () => true,
  );
  const nodes = read.data.value ? toTree(read.data.value) : [];
  return nodes.length > 0 && <CauseTree nodes={nodes} id={id} hrefOf={(node) => href(["activity", node])} />;
}

/** Shows a binary body, if it is a picture, and lets the user save it. */
function File({ body, headers }: Pick<TryReply, "body" | "headers">) {
  const url = useMemo(() => URL.createObjectURL(body), [body]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  const disposition = headers.find(([name]) => name === "content-disposition")?.[1] ?? "";
  const name = /filename="([^"]+)"/.exec(disposition)?.[1] ?? "reply";
  return (
    <>
      {body.type.startsWith("image/") && <img class="reply-picture" src={url} alt="The reply" />}
      <p>
        {body.type}, {body.size.toLocaleString("en")} bytes{" "}
        <a href={url} download={name}>
          Save
        </a>
      </p>
    </>
  );
}

type Person = ReplyOf<typeof listPeople>["items"][number];

/** Fields of requests by which lookups find a person. */
const numbers = ["bvn", "nin", "licence_number", "account_number", "full_name"];

/** Returns whether an operation looks a person up. */
const takesPerson = (operation: ApiOperation): boolean =>
  takesJson(operation) && operation.auth === "key" && numbers.some((name) => name in bodyFields(operation));

/** Returns what a person has, by the names of request fields. */
function fieldsOf({ licence, bank_accounts: [bankAccount], ...person }: Person): Record<string, unknown> {
  return {
    ...person,
    full_name: `${person.first_name} ${person.last_name}`,
    licence_number: licence?.number,
    bank_code: bankAccount?.bank_code,
    account_number: bankAccount?.account_number,
  };
}

/** Fills the body in with the fields of the chosen person. */
function SamplePerson({ operation, values }: { operation: ApiOperation; values: FormValues }) {
  const read = useResource(() => call("listPeople"));
  const chosen = useMemo(() => signal(""), []);
  const people = (read.data.value?.items ?? []).map(
    (person) => [`${person.first_name} ${person.last_name}`, fieldsOf(person)] as const,
  );
  useEffect(() => {
    const [, fields = {}] = people[Number(chosen.value)] ?? [];
    if (chosen.value === "") return;
    const names = Object.keys(bodyFields(operation)).filter((name) => fields[name] != null);
    changeBody(values, Object.fromEntries(names.map((name) => [name, fields[name]])));
  }, [chosen.value]);
  const needed = requiredFields(operation);
  const options = people.flatMap(([name, fields], index) =>
    needed.some((field) => numbers.includes(field) && fields[field] === undefined)
      ? []
      : [[String(index), name] as const],
  );
  return (
    <SelectField
      label="Sample person"
      value={chosen}
      options={[["", "Keep what is filled in"], ...options]}
    />
  );
}

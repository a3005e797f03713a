/** Sends a request to any operation of the service, as a client would: with the account's API key. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { type ApiOperation, exampleOfSchema, readContract } from "../../api/contract.js";
import { Action } from "../../pieces/button.js";
import { AreaField, Form, SelectField, TextField } from "../../pieces/field.js";
import { Detail, Empty, Loaded } from "../../pieces/layout.js";
import { useResource } from "../../state/resource.js";
import { go, href } from "../../state/route.js";
import { keepServiceKey, serviceKey } from "../../state/session.js";
import { fileFields, prefill, toValues } from "./form-values.js";
import { Reply } from "./reply.js";
import { SamplePerson, takesPerson } from "./sample-person.js";
import { send, type TryReply } from "./send.js";

export function TryRequest({ id }: { id: string | undefined }) {
  const contract = useResource(() => readContract("service"));
  return (
    <Detail title="Try a request" back={href(["activity"])}>
      <Loaded of={contract}>
        {({ operations: all }) => {
          const operation = all.find((one) => one.id === id);
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

/** The form of an operation, with the reply and a link to what the request caused. */
export function RequestForm({ operation }: { operation: ApiOperation }) {
  const { credential, bodyType } = operation;
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
    if (credential === "key") keepServiceKey(key.value);
    reply.value = await send(operation, values, key.value);
  };
  return (
    <>
      <Form>
        {values.parameters.map(({ parameter: { name, required = false, schema }, value }) => (
          <TextField
            key={name}
            label={name}
            value={value}
            required={required}
            placeholder={String(exampleOfSchema(schema) ?? "")}
            mono
          />
        ))}
        {takesPerson(operation) && <SamplePerson operation={operation} values={values} />}
        {bodyType === "application/json" && (
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
          {outcomes.length > 0 && (
            <SelectField
              label="Outcome"
              value={values.outcome}
              options={[["", "As the request implies"], ...outcomes]}
            />
          )}
          {credential === "key" && <TextField label="API key" value={key} mono required />}
        </div>
        <Action submits run={submit} look="primary">
          Send
        </Action>
      </Form>
      {reply.value && <Reply reply={reply.value} isActivity={isActivity(operation)} />}
    </>
  );
}

/** Returns whether a call is in the activity log, where reading through the control API is not. */
const isActivity = ({ credential, method }: ApiOperation): boolean =>
  credential === "key" || credential === "session" || (credential === "control" && method !== "GET");

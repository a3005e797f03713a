/** Describes rules in words, and has the form for a new rule: its subject, conditions and effect. */
import { type Signal, useSignal } from "@preact/signals";
import type { CallReply } from "../../../../client/client.js";
import { faultyReplies } from "../../../../contract/faulty-replies.js";
import type { BodyOf } from "../../../../contract/operation.js";
import type { createRule } from "../../../../control/rules.js";
import { call } from "../../api/control.js";
import { useOperations } from "../../api/operations.js";
import { Action } from "../../pieces/button.js";
import { Json } from "../../pieces/code.js";
import { AreaField, Form, SelectField, TextField } from "../../pieces/field.js";
import { parseTypedObject } from "../../pieces/json-file.js";
import { Detail, Section } from "../../pieces/layout.js";
import { notify } from "../../pieces/toasts.js";
import { go, href, hrefHere, route } from "../../state/route.js";
import { useEventKinds } from "../webhooks/events.js";

export type ListedRule = CallReply<"listRules">["items"][number];

/** Effects on a webhook that the form offers. */
const webhookFaults = [
  ["duplicate", "arrives twice"],
  ["delay", "arrives 30 s late"],
  ["reorder", "is overtaken by the next event"],
  ["drop", "is never sent"],
  ["signature", "has a wrong signature"],
  ["short", "has half of a signature"],
  ["body", "has a changed body"],
  ["unsigned", "has no signature"],
  ["lose_answer", "is accepted, but its answer is lost"],
  ["cut_off", "is cut off in the middle at first"],
] as const;

const faultTexts: Readonly<Record<string, string>> = Object.fromEntries(webhookFaults);

function describeWebhook({
  duplicate,
  delay,
  reorder,
  drop,
  tamper,
  set,
  earlier,
  lose_answer,
  cut_off,
}: NonNullable<ListedRule["webhook"]>): string[] {
  return [
    duplicate && `arrives ${duplicate + 1} times`,
    delay && `arrives ${formatDelay(delay)} late`,
    reorder && faultTexts.reorder,
    drop && faultTexts.drop,
    tamper && faultTexts[tamper],
    set && `has other values: ${Object.keys(set).join(", ")}`,
    earlier && "an older one arrives after it",
    lose_answer && faultTexts.lose_answer,
    cut_off && faultTexts.cut_off,
  ].filter((text) => typeof text === "string");
}

type Delay = NonNullable<NonNullable<ListedRule["fault"]>["latency"]>;
const formatDelay = (delay: Delay): string =>
  typeof delay === "string" ? delay : `${delay.min} to ${delay.max}`;

const formatWhere = (where: NonNullable<NonNullable<ListedRule["fault"]>["where"]>): string =>
  Object.entries(where)
    .map(([path, value]) => `${path} ${JSON.stringify(value)}`)
    .join(" and ");

function describeFault({
  latency,
  error,
  reply,
  set,
  where,
  reply_after,
}: NonNullable<ListedRule["fault"]>): string[] {
  return [
    latency &&
      (latency === "documented"
        ? "the reply takes the documented time"
        : `the reply is ${formatDelay(latency)} late`),
    error && `it fails with ${error}`,
    reply && faultyReplies[reply],
    set && `the reply has other values: ${Object.keys(set).join(", ")}`,
    where && `where it has ${formatWhere(where)}`,
    reply_after &&
      (reply_after === "webhook"
        ? "the reply leaves after its webhooks"
        : `the reply leaves ${reply_after} after the request took effect`),
  ].filter((text) => typeof text === "string");
}

/** Describes the effect of a rule in a few words. `describeOutcome` describes an outcome of an operation. */
export function describeEffect(
  { on, outcome, fault, webhook, hold }: Pick<ListedRule, "on" | "outcome" | "fault" | "webhook" | "hold">,
  describeOutcome: (operation: string, outcome: string) => string,
): string {
  return [
    ...(outcome ? [describeOutcome(on, outcome)] : []),
    ...(fault ? describeFault(fault) : []),
    ...(webhook ? describeWebhook(webhook) : []),
    ...(hold ? [`holds the ${hold}`] : []),
  ].join(", ");
}

type RuleBody = BodyOf<typeof createRule>;

const effects = [
  ["outcome", "Outcome of the operation"],
  ["error", "Error"],
  ["latency", "Late reply"],
  ["reply", "Broken reply"],
  ["reply_after", "Reply after its webhooks"],
  ["webhook", "Webhook that goes wrong"],
  ["hold", "Held until you release it"],
] as const;

const holds = [
  ["request", "The request, before it takes effect"],
  ["reply", "The reply"],
  ["webhook", "The webhook"],
] as const;

interface Fields {
  on: Signal<string>;
  effect: Signal<string>;
  value: Signal<string>;
  times: Signal<string>;
  when: Signal<string>;
}

function effectOf(effect: string, value: string): Partial<RuleBody> {
  if (effect === "outcome") return { outcome: value };
  if (effect === "webhook") return { webhook: webhookOf(value) };
  if (effect === "hold") return { hold: value as NonNullable<RuleBody["hold"]> };
  return { fault: { [effect]: value } };
}

function webhookOf(value: string): NonNullable<RuleBody["webhook"]> {
  if (value === "duplicate") return { duplicate: 1 };
  if (value === "delay") return { delay: "30s" };
  if (["drop", "reorder", "lose_answer", "cut_off"].includes(value)) return { [value]: true };
  return { tamper: value as "signature" };
}

function toRule({ on, effect, value, times, when }: Fields): RuleBody {
  return {
    on: on.value.trim(),
    ...effectOf(effect.value, value.value),
    ...(times.value.trim() ? { times: Number(times.value) } : {}),
    ...(when.value.trim() ? { when: parseTypedObject(when.value, "When") } : {}),
  };
}

export function NewRule() {
  const { query } = route.value;
  const isHold = query.get("effect") === "hold";
  const fields: Fields = {
    on: useSignal(query.get("on") ?? ""),
    effect: useSignal(isHold ? "hold" : "outcome"),
    value: useSignal(query.get("outcome") ?? (isHold ? "request" : "")),
    times: useSignal("1"),
    when: useSignal(""),
  };
  const operations = useOperations();
  const events = useEventKinds();
  const chosen = operations.find(({ operation }) => operation === fields.on.value.trim());
  const save = async () => {
    const { id } = await call("createRule", { body: toRule(fields) });
    notify("The rule applies from now on.");
    go(href(["rules", id]));
  };
  return (
    <Detail title="New rule" back={hrefHere()}>
      <Form>
        <TextField
          label="On"
          value={fields.on}
          list={[
            ["*", "All operations"],
            ...operations.map(({ operation, summary }) => [operation, summary] as const),
            ["webhooks", "All webhooks"],
            ...events,
          ]}
          hint={
            chosen?.summary ?? "An operation, * for all operations, an event, or webhooks for all events."
          }
          placeholder="verifyBvn"
          mono
          required
        />
        <SelectField label="What happens" value={fields.effect} options={effects} />
        <ValueField fields={fields} outcomes={chosen?.outcomes ?? []} />
        <TextField label="Times" value={fields.times} hint="Leave empty for no limit." mono />
        <AreaField
          label="When"
          value={fields.when}
          rows={3}
          placeholder={'{"body": {"amount": 7000}}'}
          hint="JSON with parts of the request or delivery. Leave empty to match all."
          mono
        />
        <Action submits run={save} look="primary">
          Create rule
        </Action>
      </Form>
      <Section title="As JSON">
        <Preview fields={fields} />
      </Section>
    </Detail>
  );
}

function ValueField({
  fields,
  outcomes,
}: {
  fields: Fields;
  outcomes: readonly { name: string; description: string }[];
}) {
  const { effect, value } = fields;
  switch (effect.value) {
    case "outcome": {
      const chosen = outcomes.find(({ name }) => name === value.value);
      return (
        <TextField
          label="Outcome"
          value={value}
          list={outcomes.map(({ name, description }) => [name, description.replaceAll("`", "")] as const)}
          hint={chosen?.description ?? "The names depend on the operation."}
          mono
          required
        />
      );
    }
    case "reply":
      return <ChoiceField label="Reply" value={value} options={Object.entries(faultyReplies)} />;
    case "webhook":
      return <ChoiceField label="The webhook" value={value} options={webhookFaults} />;
    case "hold":
      return <ChoiceField label="What is held" value={value} options={holds} />;
    case "reply_after":
      return (
        <TextField
          label="The reply leaves"
          value={value}
          list={["webhook", "2s"]}
          hint="webhook: once the webhooks of the request have arrived. A duration: that long after the request took effect."
          placeholder="webhook"
          mono
          required
        />
      );
    case "latency":
      return <TextField label="Real time until the reply" value={value} placeholder="2s" mono required />;
    default:
      return <TextField label="Error code" value={value} placeholder="rate_limited" mono required />;
  }
}

/** A choice whose initial value is the first option. */
function ChoiceField({
  label,
  value,
  options,
}: {
  label: string;
  value: Signal<string>;
  options: readonly (readonly [string, string])[];
}) {
  if (!options.some(([name]) => name === value.value)) value.value = options[0]?.[0] ?? "";
  return <SelectField label={label} value={value} options={options} />;
}

function Preview({ fields }: { fields: Fields }) {
  try {
    return <Json value={toRule(fields)} label="Rule as JSON" />;
  } catch (error) {
    return <p class="problem">{(error as Error).message}</p>;
  }
}

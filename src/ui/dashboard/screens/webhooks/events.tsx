/** An event with its data and deliveries, and a form that sends an event by hand. */
import { useSignal } from "@preact/signals";
import type { EventKind } from "../../../../client/account/types.js";
import { call, onlyItem } from "../../api/control.js";
import { Action } from "../../pieces/button.js";
import { Json } from "../../pieces/code.js";
import { AreaField, Form, SelectField } from "../../pieces/field.js";
import { formatDay, formatTime } from "../../pieces/format.js";
import { parseTypedObject } from "../../pieces/json-file.js";
import { Detail, FactList, Loaded, Section, Tag } from "../../pieces/layout.js";
import { useResource } from "../../state/resource.js";
import { go, href, hrefHere, route } from "../../state/route.js";
import { deliveryTones } from "./delivery.js";

async function readEvent(id: string) {
  const [event, { items }] = await Promise.all([
    onlyItem(call("listEvents", { query: { id } })),
    call("listDeliveries", { query: { event_id: id } }),
  ]);
  return { event, deliveries: items };
}

export function EventDetail({ id }: { id: string }) {
  const read = useResource(
    () => readEvent(id),
    [id],
    ({ refs }) => refs.event === id,
  );
  return (
    <Loaded of={read}>
      {({ event, deliveries }) => (
        <Detail
          title={
            <>
              {event.says} <span class="soft mono">{event.event}</span>
            </>
          }
          back={hrefHere()}
        >
          <FactList
            rows={[
              ["Id", <code>{event.id}</code>],
              ["At", `${formatTime(event.created_at)} UTC, ${formatDay(event.created_at)}`],
              ["Why", <a href={href(["activity", event.id])}>Cause and effect</a>],
            ]}
          />
          <Section title="Deliveries">
            {deliveries.length === 0 && <p class="soft">No endpoint was subscribed to this event.</p>}
            <nav class="history" aria-label="Deliveries of the event">
              {deliveries.map(({ id: delivery, url, status }) => (
                <a key={delivery} href={href(["webhooks", delivery])}>
                  <span class="grow mono">{url}</span>
                  <Tag tone={deliveryTones[status]}>{status}</Tag>
                </a>
              ))}
            </nav>
          </Section>
          <Section title="Data">
            <Json value={event.data} />
          </Section>
        </Detail>
      )}
    </Loaded>
  );
}

/** Returns the kinds of events, which the coverage of the control API lists. */
export function useEventKinds(): readonly string[] {
  const coverage = useResource(() => call("getCoverage", { query: { scope: "account" } }));
  return coverage.data.value?.events.map(({ event }) => event) ?? [];
}

/** Sends any event by hand, with example data or with data of the tester. */
export function SendEvent() {
  const event = useSignal(route.value.query.get("event") ?? "payment.received");
  const data = useSignal("");
  const send = async () => {
    const given = data.value.trim() ? { data: parseTypedObject(data.value, "data") } : {};
    const { id } = await call("triggerEvent", { body: { event: event.value as EventKind, ...given } });
    go(href(["webhooks", id], { show: "events" }));
  };
  return (
    <Detail title="Send an event" back={hrefHere()}>
      <Form>
        <SelectField label="Event" value={event} options={useEventKinds()} />
        <AreaField
          label="Data"
          value={data}
          rows={10}
          placeholder="{ }"
          hint="JSON. Leave empty for the event's example data."
          mono
        />
        <Action submits run={send} look="primary">
          Send
        </Action>
      </Form>
    </Detail>
  );
}

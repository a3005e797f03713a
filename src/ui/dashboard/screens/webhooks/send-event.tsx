/** Sends any event by hand, with example data or with the tester's. */
import { useSignal } from "@preact/signals";
import type { EventKind } from "../../../../client/account/names.js";
import { call } from "../../api/control.js";
import { Action } from "../../pieces/button.js";
import { AreaField, Form, SelectField } from "../../pieces/field.js";
import { Detail } from "../../pieces/layout.js";
import { parseTypedObject } from "../../pieces/parse.js";
import { go, href, hrefHere, route } from "../../state/route.js";
import { useEventKinds } from "./deliveries.js";

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

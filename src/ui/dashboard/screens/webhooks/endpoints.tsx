/** The endpoints of the account: who gets which events, and a form for another one. */
import { useSignal } from "@preact/signals";
import type { EventKind } from "../../../../client/account/types.js";
import { call } from "../../api/control.js";
import { Action, Copy } from "../../pieces/button.js";
import { Form, TextField } from "../../pieces/field.js";
import { Detail, FactList, Loaded, Section } from "../../pieces/layout.js";
import { notify } from "../../pieces/toasts.js";
import { ofKinds, useResource } from "../../state/resource.js";
import { hrefHere } from "../../state/route.js";
import { baseUrl, chosenAccount } from "../../state/session.js";
import { useEventKinds } from "./events.js";

/** Returns the address of the built-in receiver of this account, which answers 204 to genuine deliveries. */
export function useReceiver(): string | null {
  const account = useResource(() => call("getAccount"), [chosenAccount.value]);
  const id = account.data.value?.id;
  return id ? `${baseUrl}/receiver/${id}` : null;
}

export function Endpoints() {
  const read = useResource(
    () => call("listWebhooks"),
    [chosenAccount.value],
    ofKinds("control", "request", "scenario"),
  );
  const receiver = useReceiver();
  return (
    <Detail title="Endpoints" back={hrefHere()}>
      <Loaded of={read}>
        {({ items }) => (
          <>
            {items.map(({ id, url, events, description, secret }) => (
              <section class="card" key={id} aria-label={url}>
                <FactList
                  rows={[
                    ["URL", <b class="mono">{url}</b>],
                    ["Name", description],
                    ["Events", events.includes("*") ? "all" : events.join(", ")],
                    [
                      "Secret",
                      <span class="actions">
                        <code>{secret}</code>
                        <Copy text={secret} />
                      </span>,
                    ],
                  ]}
                />
                <Action
                  look="danger"
                  run={async () => {
                    await call("deleteWebhook", { params: { id } });
                    await read.reload();
                  }}
                >
                  Remove
                </Action>
              </section>
            ))}
            {items.length === 0 && (
              <p class="soft">No endpoints yet. Events are kept, but nothing is sent.</p>
            )}
            {receiver && !items.some(({ url }) => url === receiver) && (
              <p>
                <Action
                  run={async () => {
                    await call("addWebhook", { body: { url: receiver, description: "Built-in receiver" } });
                    await read.reload();
                  }}
                >
                  Use the built-in receiver
                </Action>{" "}
                <span class="soft">It answers 204 to genuine deliveries, and 401 to forged ones.</span>
              </p>
            )}
            <AddEndpoint onAdded={read.reload.bind(read)} />
          </>
        )}
      </Loaded>
    </Detail>
  );
}

function AddEndpoint({ onAdded }: { onAdded(): Promise<void> }) {
  const url = useSignal("");
  const events = useSignal("");
  const add = async () => {
    const kinds = events.value.split(/[\s,]+/).filter(Boolean) as EventKind[];
    await call("addWebhook", {
      body: { url: url.value.trim(), ...(kinds.length > 0 ? { events: kinds } : {}) },
    });
    notify("Endpoint registered.");
    url.value = "";
    await onAdded();
  };
  return (
    <Section title="Add an endpoint">
      <Form>
        <TextField label="URL" value={url} placeholder="http://127.0.0.1:3000/webhooks" mono required />
        <TextField
          label="Events"
          value={events}
          list={useEventKinds()}
          hint="Separated by spaces. Leave empty for all events."
          mono
        />
        <Action submits run={add} look="primary">
          Register
        </Action>
      </Form>
    </Section>
  );
}

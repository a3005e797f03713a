/** The endpoints of the account with their events, and a form for a new endpoint. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { EventKind, WebhookEntry } from "../../../../client/account/types.js";
import { call } from "../../api/control.js";
import { Action, Copy } from "../../pieces/button.js";
import { Form, TextField } from "../../pieces/field.js";
import { Detail, Empty, FactList } from "../../pieces/layout.js";
import { ListScreen } from "../../pieces/list-screen.js";
import { notify } from "../../pieces/toasts.js";
import { ofKinds, useResource } from "../../state/resource.js";
import { go, href } from "../../state/route.js";
import { baseUrl, chosenAccount } from "../../state/session.js";
import { useEventKinds } from "./events.js";

interface EndpointListProps {
  /** Id of the open endpoint, or the name of an open form. */
  open: string | null;
  toolbar: ComponentChildren;
}

/** Returns the address of the built-in receiver of this account, which answers 204 to genuine deliveries. */
export function useReceiver(): string | null {
  const account = useResource(() => call("getAccount"), [chosenAccount.value]);
  const id = account.data.value?.id;
  return id ? `${baseUrl}/receiver/${id}` : null;
}

/** Returns the address of the list of endpoints, or of an open endpoint or form. */
export const addressOf = (...open: string[]): string => href(["webhooks", "endpoints", ...open]);

export function EndpointList({ open, toolbar }: EndpointListProps) {
  const read = useResource(
    () => call("listWebhooks"),
    [chosenAccount.value],
    ofKinds("control", "request", "scenario"),
  );
  const find = (items: readonly WebhookEntry[], id: string) => {
    const endpoint = items.find((item) => item.id === id);
    return endpoint ? <EndpointDetail key={id} endpoint={endpoint} /> : <GoneEndpoint id={id} />;
  };
  return (
    <ListScreen
      of={read}
      label="Endpoints"
      openId={open}
      hrefOf={({ id }) => addressOf(id)}
      toolbar={toolbar}
      empty={
        <Empty title="No endpoints yet">
          <p>Events are kept, but nothing is sent.</p>
          <UseReceiver known={[]} />
        </Empty>
      }
      detail={(data) =>
        data && open && (open === "new" ? <AddEndpoint known={data.items} /> : find(data.items, open))
      }
    >
      {(endpoint) => <EndpointRow endpoint={endpoint} />}
    </ListScreen>
  );
}

const formatEvents = ({ events }: WebhookEntry): string =>
  events.includes("*") ? "all events" : events.join(", ");

const EndpointRow = ({ endpoint }: { endpoint: WebhookEntry }) => (
  <span class="line">
    <b class="mono">{endpoint.url}</b>
    <span class="soft">{endpoint.description}</span>
    <span class="soft">{formatEvents(endpoint)}</span>
  </span>
);

const GoneEndpoint = ({ id }: { id: string }) => (
  <Detail title="This endpoint is gone" back={addressOf()}>
    <p class="soft">{`${id} has been removed.`}</p>
  </Detail>
);

const EndpointDetail = ({ endpoint }: { endpoint: WebhookEntry }) => {
  const { id, url, description, secret } = endpoint;
  const back = addressOf();
  const remove = async () => {
    await call("deleteWebhook", { params: { id } });
    notify("Endpoint removed.");
    go(back);
  };
  return (
    <Detail title={<span class="mono">{url}</span>} back={back}>
      <FactList
        rows={[
          ["Id", <code>{id}</code>],
          ["Name", description],
          ["Events", formatEvents(endpoint)],
          [
            "Secret",
            <span class="actions">
              <code>{secret}</code>
              <Copy text={secret} />
            </span>,
          ],
        ]}
      />
      <Action look="danger" run={remove}>
        Remove
      </Action>
    </Detail>
  );
};

/** Registers the built-in receiver, unless it is an endpoint already. */
function UseReceiver({ known }: { known: readonly WebhookEntry[] }) {
  const receiver = useReceiver();
  if (!receiver || known.some(({ url }) => url === receiver)) return null;
  const add = () => call("addWebhook", { body: { url: receiver, description: "Built-in receiver" } });
  return (
    <p>
      <Action run={async () => void (await add())}>Use the built-in receiver</Action>{" "}
      <span class="soft">It answers 204 to genuine deliveries, and 401 to forged ones.</span>
    </p>
  );
}

function AddEndpoint({ known }: { known: readonly WebhookEntry[] }) {
  const url = useSignal("");
  const events = useSignal("");
  const add = async () => {
    const kinds = events.value.split(/[\s,]+/).filter(Boolean) as EventKind[];
    const { id } = await call("addWebhook", {
      body: { url: url.value.trim(), ...(kinds.length > 0 ? { events: kinds } : {}) },
    });
    notify("Endpoint registered.");
    go(addressOf(id));
  };
  return (
    <Detail title="Add an endpoint" back={addressOf()}>
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
      <UseReceiver known={known} />
    </Detail>
  );
}

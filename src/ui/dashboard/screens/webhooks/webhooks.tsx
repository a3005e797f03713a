/** Webhooks: deliveries with their attempts, the events behind them, and the endpoints that get them. */
import type { ComponentChildren } from "preact";
import type { EventKind } from "../../../../client/account/names.js";
import type { DeliveryEntry, EventEntry } from "../../../../client/account/types.js";
import { call } from "../../api/control.js";
import { FilterSelect } from "../../pieces/filter-select.js";
import { formatTime, plural } from "../../pieces/format.js";
import { Empty, Loaded, Split, Tag, Toolbar } from "../../pieces/layout.js";
import { StillRows } from "../../pieces/list.js";
import { LoadDemo } from "../../pieces/load-demo.js";
import { Tabs } from "../../pieces/tabs.js";
import { ofKinds, type Resource, useResource } from "../../state/resource.js";
import { href, hrefHere, route } from "../../state/route.js";
import { deliveryTones, useEventKinds } from "./deliveries.js";
import { DeliveryDetail } from "./delivery.js";
import { Endpoints, useReceiver } from "./endpoints.js";
import { EventDetail } from "./event.js";
import { SendEvent } from "./send-event.js";

const pageSize = 300;
const statuses = Object.keys(deliveryTones) as DeliveryEntry["status"][];

export function WebhooksScreen() {
  const { path, query } = route.value;
  const [open = null] = path;
  const part = query.get("show") === "events" ? "events" : "deliveries";
  const filter = query.get("event") ?? "";
  const isEndpoints = open === "endpoints";
  return (
    <Split
      list={
        <>
          <Toolbar>
            <Tabs
              label="Webhooks"
              tabs={[
                ["Deliveries", href(["webhooks"]), part === "deliveries" && !isEndpoints],
                ["Events", href(["webhooks"], { show: "events" }), part === "events" && !isEndpoints],
                ["Endpoints", hrefHere("endpoints"), isEndpoints],
              ]}
            />
            <FilterSelect name="event" label="Event" all="All events" options={useEventKinds()} isMain />
            {part === "deliveries" && (
              <FilterSelect name="status" label="Status" all="All statuses" options={statuses} />
            )}
            <a class="button" href={hrefHere("send")}>
              Send event
            </a>
          </Toolbar>
          {part === "events" ? (
            <EventList event={filter} open={open} />
          ) : (
            <DeliveryList event={filter} open={open} />
          )}
        </>
      }
      detail={open && <Open id={open} />}
    />
  );
}

function Open({ id }: { id: string }) {
  if (id === "endpoints") return <Endpoints />;
  if (id === "send") return <SendEvent />;
  return id.startsWith("evt_") ? <EventDetail key={id} id={id} /> : <DeliveryDetail key={id} id={id} />;
}

interface RowsProps<T> {
  of: Resource<{ items: readonly T[] }>;
  label: string;
  open: string | null;
  children(item: T): ComponentChildren;
}

const Rows = <T extends { id: string }>({ of, label, open, children }: RowsProps<T>) => (
  <Loaded of={of}>
    {({ items }) =>
      items.length === 0 ? (
        <NoDeliveries />
      ) : (
        <StillRows
          label={label}
          items={items}
          isWhole={items.length < pageSize}
          openId={open}
          hrefOf={({ id }) => hrefHere(id)}
        >
          {children}
        </StillRows>
      )
    }
  </Loaded>
);

function DeliveryList({ event, open }: { event: string; open: string | null }) {
  const status = statuses.find((name) => name === route.value.query.get("status"));
  const read = useResource(
    () => call("listDeliveries", { query: { limit: pageSize, event: event || undefined, status } }),
    [event, status],
    ofKinds("event", "attempt", "control", "scenario"),
  );
  return (
    <Rows of={read} label="Deliveries" open={open}>
      {(delivery) => <DeliveryRow delivery={delivery} />}
    </Rows>
  );
}

const DeliveryRow = ({ delivery: { event, url, status, attempts } }: { delivery: DeliveryEntry }) => {
  const [first, last] = [attempts[0], attempts.at(-1)];
  return (
    <span class="line">
      {/* The list is in the order in which deliveries were made, so their first attempts are in order, too. */}
      <time>{first ? formatTime(first.at) : ""}</time>
      <b class="mono">{event}</b>
      <span class="soft">{url}</span>
      <span class="soft count">{attempts.length > 1 && plural(attempts.length, "attempt")}</span>
      <Tag tone={deliveryTones[status]}>{last?.status ?? status}</Tag>
    </span>
  );
};

function NoDeliveries() {
  const receiver = useReceiver();
  return (
    <Empty
      title="No deliveries yet"
      command={`curl ${location.origin}/v1/webhooks -H "X-Service-Key: svc_test_demo" -H "Content-Type: application/json" -d '{"url":"http://127.0.0.1:3000/webhooks"}'`}
    >
      <p>
        Register an endpoint of yours, or <a href={hrefHere("endpoints")}>use the built-in receiver</a>
        {receiver ? ", which answers 204 to whatever is signed correctly" : ""}. Then make something happen,
        or <a href={hrefHere("send")}>send an event by hand</a>.
      </p>
      <LoadDemo />
    </Empty>
  );
}

function EventList({ event, open }: { event: string; open: string | null }) {
  const read = useResource(
    () => call("listEvents", { query: { limit: pageSize, event: (event as EventKind) || undefined } }),
    [event],
    ofKinds("event", "control", "scenario"),
  );
  return (
    <Rows of={read} label="Events" open={open}>
      {(item) => <EventRow event={item} />}
    </Rows>
  );
}

const EventRow = ({ event: { event, created_at, data } }: { event: EventEntry }) => (
  <span class="line">
    <time>{formatTime(created_at)}</time>
    <b class="mono">{event}</b>
    <span class="soft mono">{String(data.id ?? "")}</span>
  </span>
);

/** Webhooks: deliveries with their attempts, the events behind them, and the endpoints that get them. */
import type { DeliveryEntry, EventEntry } from "../../../library/types.js";
import { control } from "../../api/control.js";
import { formatTime, plural } from "../../pieces/format.js";
import { Empty, Loaded, Split, Tag, Toolbar } from "../../pieces/layout.js";
import { List } from "../../pieces/list.js";
import { Tabs } from "../../pieces/tabs.js";
import { ofKinds, useResource } from "../../state/resource.js";
import { href, hrefHere, route, setQuery } from "../../state/route.js";
import { deliveryTones, useEventKinds } from "./deliveries.js";
import { DeliveryDetail } from "./delivery.js";
import { Endpoints, useReceiver } from "./endpoints.js";
import { EventDetail } from "./event.js";
import { SendEvent } from "./send-event.js";

const pageSize = 300;
const statuses = Object.keys(deliveryTones) as DeliveryEntry["status"][];

export function Webhooks() {
  const eventKinds = useEventKinds();
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
            <select
              data-filter
              aria-label="Event"
              value={filter}
              onChange={({ currentTarget }) => setQuery({ event: currentTarget.value })}
            >
              <option value="">All events</option>
              {eventKinds.map((kind) => (
                <option key={kind} value={kind} selected={kind === filter}>
                  {kind}
                </option>
              ))}
            </select>
            {part === "deliveries" && <StatusFilter />}
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

const StatusFilter = () => {
  const status = route.value.query.get("status") ?? "";
  return (
    <select
      aria-label="Status"
      value={status}
      onChange={({ currentTarget }) => setQuery({ status: currentTarget.value })}
    >
      <option value="">All statuses</option>
      {statuses.map((name) => (
        <option key={name} value={name} selected={name === status}>
          {name}
        </option>
      ))}
    </select>
  );
};

function DeliveryList({ event, open }: { event: string; open: string | null }) {
  const status = statuses.find((name) => name === route.value.query.get("status"));
  const read = useResource(
    () => control.deliveries({ limit: pageSize, event, status }),
    [event, status],
    ofKinds("event", "attempt", "control", "scenario"),
  );
  return (
    <Loaded of={read}>
      {({ items }) =>
        items.length === 0 ? (
          <NoDeliveries />
        ) : (
          <List label="Deliveries" items={items} openId={open} hrefOf={({ id }) => hrefHere(id)}>
            {(delivery) => <DeliveryRow delivery={delivery} />}
          </List>
        )
      }
    </Loaded>
  );
}

const DeliveryRow = ({ delivery: { event, url, status, attempts } }: { delivery: DeliveryEntry }) => {
  const last = attempts.at(-1);
  return (
    <span class="line">
      <time>{last ? formatTime(last.at) : ""}</time>
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
      title="Nothing has been delivered"
      command={`curl ${location.origin}/v1/webhooks -H "X-Service-Key: svc_test_demo" -H "Content-Type: application/json" -d '{"url":"http://127.0.0.1:3000/webhooks"}'`}
    >
      <p>
        Register an endpoint of yours, or <a href={hrefHere("endpoints")}>use the built-in receiver</a>
        {receiver ? ", which answers 204 to whatever is signed correctly" : ""}. Then make something happen,
        or <a href={hrefHere("send")}>send an event by hand</a>.
      </p>
    </Empty>
  );
}

function EventList({ event, open }: { event: string; open: string | null }) {
  const read = useResource(
    () => control.events({ limit: pageSize, event }),
    [event],
    ofKinds("event", "control", "scenario"),
  );
  return (
    <Loaded of={read}>
      {({ items }) =>
        items.length === 0 ? (
          <NoDeliveries />
        ) : (
          <List label="Events" items={items} openId={open} hrefOf={({ id }) => hrefHere(id)}>
            {(item) => <EventRow event={item} />}
          </List>
        )
      }
    </Loaded>
  );
}

const EventRow = ({ event: { event, created_at, data } }: { event: EventEntry }) => (
  <span class="line">
    <time>{formatTime(created_at)}</time>
    <b class="mono">{event}</b>
    <span class="soft mono">{String(data.id ?? "")}</span>
  </span>
);

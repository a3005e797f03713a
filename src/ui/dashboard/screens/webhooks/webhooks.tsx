/** The screen of webhooks: deliveries with their attempts, their events, and the endpoints that receive them. */
import type { ComponentChildren } from "preact";
import type { DeliveryEntry, EventEntry, EventKind } from "../../../../client/account/types.js";
import { call } from "../../api/control.js";
import { formatEndpoint, formatTime, plural } from "../../pieces/format.js";
import { Empty, Tabs, Tag } from "../../pieces/layout.js";
import { FilterSelect, ListScreen } from "../../pieces/list-screen.js";
import { LoadDemo } from "../../pieces/load-demo.js";
import { ofKinds, useResource } from "../../state/resource.js";
import { href, hrefHere, route } from "../../state/route.js";
import { DeliveryDetail, deliveryTones } from "./delivery.js";
import { addressOf, EndpointList, useReceiver } from "./endpoints.js";
import { EventDetail, SendEvent, useEventKinds } from "./events.js";

const pageSize = 300;
const statuses = Object.keys(deliveryTones) as DeliveryEntry["status"][];

export function WebhooksScreen() {
  const { path, query } = route.value;
  const [open = null, endpoint = null] = path;
  const event = query.get("event") ?? "";
  if (open === "endpoints") return <EndpointList open={endpoint} toolbar={<Bar part="endpoints" />} />;
  const props = { open, event };
  return query.get("show") === "events" ? <EventList {...props} /> : <DeliveryList {...props} />;
}

interface PartProps {
  /** Id of the open delivery or event. */
  open: string | null;
  /** Kind of event that the list is filtered by. */
  event: string;
}

const EventFilter = () => (
  <FilterSelect name="event" label="Event" all="All events" options={useEventKinds()} isMain />
);

/** Links to the parts of the screen, filters the list and sends events. `children` are the filters of the part. */
function Bar({ part, children }: { part: string; children?: ComponentChildren }) {
  return (
    <>
      <Tabs
        label="Webhooks"
        tabs={[
          ["Deliveries", href(["webhooks"]), part === "deliveries"],
          ["Events", href(["webhooks"], { show: "events" }), part === "events"],
          ["Endpoints", addressOf(), part === "endpoints"],
        ]}
      />
      {part !== "endpoints" && <EventFilter />}
      {children}
      {part === "endpoints" && (
        <a class="button" href={addressOf("new")}>
          Add endpoint
        </a>
      )}
      <a class="button" href={hrefHere("send")}>
        Send event
      </a>
    </>
  );
}

function Open({ id }: { id: string }) {
  if (id === "send") return <SendEvent />;
  return id.startsWith("evt_") ? <EventDetail key={id} id={id} /> : <DeliveryDetail key={id} id={id} />;
}

/** The common parts of the lists of deliveries and events. */
const common = {
  limit: pageSize,
  hrefOf: ({ id }: { id: string }) => hrefHere(id),
};

function DeliveryList({ event, open }: PartProps) {
  const status = statuses.find((name) => name === route.value.query.get("status"));
  const read = useResource(
    () => call("listDeliveries", { query: { limit: pageSize, event: event || undefined, status } }),
    [event, status],
    ofKinds("event", "attempt", "control", "scenario"),
  );
  return (
    <ListScreen
      {...common}
      of={read}
      label="Deliveries"
      openId={open}
      toolbar={
        <Bar part="deliveries">
          <FilterSelect name="status" label="Status" all="All statuses" options={statuses} />
        </Bar>
      }
      empty={<NoDeliveries />}
      detail={() => open && <Open id={open} />}
    >
      {(delivery) => <DeliveryRow delivery={delivery} />}
    </ListScreen>
  );
}

const DeliveryRow = ({ delivery: { event, says, url, status, attempts } }: { delivery: DeliveryEntry }) => {
  const [first, last] = [attempts[0], attempts.at(-1)];
  return (
    <span class="line sent">
      {/* The list is in the order in which deliveries were made, so their first attempts are in order, too. */}
      <time>{first ? formatTime(first.at) : ""}</time>
      <b class="mono">{event}</b>
      <span class="soft" title={`${says ?? event} ${url}`}>
        {says && <span class="said">{says}</span>} to {formatEndpoint(url)}
      </span>
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
        Register an endpoint of yours, or <a href={addressOf()}>use the built-in receiver</a>
        {receiver ? ", which answers 204 to genuine deliveries" : ""}. Then make something happen, or{" "}
        <a href={hrefHere("send")}>send an event by hand</a>.
      </p>
      <LoadDemo />
    </Empty>
  );
}

function EventList({ event, open }: PartProps) {
  const read = useResource(
    () => call("listEvents", { query: { limit: pageSize, event: (event as EventKind) || undefined } }),
    [event],
    ofKinds("event", "control", "scenario"),
  );
  return (
    <ListScreen
      {...common}
      of={read}
      label="Events"
      openId={open}
      toolbar={<Bar part="events" />}
      empty={<NoDeliveries />}
      detail={() => open && <Open id={open} />}
    >
      {(item) => <EventRow event={item} />}
    </ListScreen>
  );
}

const EventRow = ({ event: { event, says, created_at, data } }: { event: EventEntry }) => (
  <span class="line sent">
    <time>{formatTime(created_at)}</time>
    <b class="mono">{event}</b>
    <span class="soft">{says ?? String(data.id ?? "")}</span>
  </span>
);

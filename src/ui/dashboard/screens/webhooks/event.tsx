/** An event: its data and the deliveries that carry it. */
import { call } from "../../api/control.js";
import { Json } from "../../pieces/code.js";
import { formatDay, formatTime } from "../../pieces/format.js";
import { Detail, FactList, Loaded, Section, Tag } from "../../pieces/layout.js";
import { useResource } from "../../state/resource.js";
import { href, hrefHere } from "../../state/route.js";
import { deliveryTones } from "./deliveries.js";

async function readEvent(id: string) {
  const [event, { items }] = await Promise.all([
    call("getEvent", { params: { id } }),
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
        <Detail title={<span class="mono">{event.event}</span>} back={hrefHere()}>
          <FactList
            rows={[
              ["Id", <code>{event.id}</code>],
              ["At", `${formatTime(event.created_at)} UTC, ${formatDay(event.created_at)}`],
              ["Why", <a href={href(["activity", event.id])}>Cause and effect</a>],
            ]}
          />
          <Section title="Deliveries">
            {deliveries.length === 0 && <p class="soft">No endpoint was subscribed to this event.</p>}
            <ul class="plain-list">
              {deliveries.map(({ id: delivery, url, status }) => (
                <li key={delivery}>
                  <a href={href(["webhooks", delivery])}>
                    <span class="grow mono">{url}</span>
                    <Tag tone={deliveryTones[status]}>{status}</Tag>
                  </a>
                </li>
              ))}
            </ul>
          </Section>
          <Section title="Data">
            <Json value={event.data} />
          </Section>
        </Detail>
      )}
    </Loaded>
  );
}

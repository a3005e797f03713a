/** Screen of the requests, replies and webhooks that rules hold, to look at, change, release and drop. */
import { useSignal } from "@preact/signals";
import type { HeldChanges, HeldEntry } from "../../../../client/account/types.js";
import { call } from "../../api/control.js";
import { useSummaries } from "../../api/operations.js";
import { Action } from "../../pieces/button.js";
import { AreaField, Form, TextField } from "../../pieces/field.js";
import { formatDay, formatTime } from "../../pieces/format.js";
import { parseTypedObject } from "../../pieces/json-file.js";
import { Detail, Empty, FactList, Section, Tag } from "../../pieces/layout.js";
import { ListScreen } from "../../pieces/list-screen.js";
import { notify } from "../../pieces/toasts.js";
import { ofKinds, useResource } from "../../state/resource.js";
import { go, href, hrefHere, route } from "../../state/route.js";
import { chosenAccount } from "../../state/session.js";

/** Maximum number of held items that are shown, the oldest ones. */
const maxShown = 200;

/** Reads what is held, and again whenever a request or a webhook may have been stopped or released. */
export const useHeld = () =>
  useResource(
    () => call("listHeld", { query: { limit: maxShown } }),
    [chosenAccount.value],
    ofKinds("request", "event", "attempt", "control"),
  );

export function HeldScreen() {
  const [open = null] = route.value.path;
  const read = useHeld();
  const summaryOf = useSummaries();
  const openItem = (items: readonly HeldEntry[], id: string) => {
    const item = items.find((entry) => entry.id === id);
    return item ? <OpenItem key={id} item={item} reload={() => read.reload()} /> : <GoneItem id={id} />;
  };
  return (
    <ListScreen
      of={read}
      limit={maxShown}
      label="Held"
      openId={open}
      hrefOf={({ id }) => href(["held", id])}
      empty={<NothingHeld />}
      detail={(data) => data && open && openItem(data.items, open)}
    >
      {(item) => <HeldRow item={item} subject={summaryOf(item.operation ?? item.event ?? "")} />}
    </ListScreen>
  );
}

const NothingHeld = () => (
  <Empty title="Nothing is held">
    <p>A rule that holds requests, replies or webhooks stops them here until you release or drop them.</p>
    <p>
      <a class="button primary" href={href(["rules", "new"], { effect: "hold" })}>
        Make a rule that holds
      </a>
    </p>
  </Empty>
);

/** A row of the list. `subject` is the operation or event in words. */
const HeldRow = ({ item: { kind, target, status }, subject }: { item: HeldEntry; subject: string }) => (
  <span class="line">
    <Tag tone="wait">{kind}</Tag>
    <b>{subject}</b>
    <span class="soft">{target}</span>
    <span class="count mono">{status}</span>
  </span>
);

const GoneItem = ({ id }: { id: string }) => (
  <Detail title="This is no longer held" back={hrefHere()}>
    <p class="soft">{`${id} has been released or dropped.`}</p>
  </Detail>
);

const format = (value: unknown): string => JSON.stringify(value, null, 2);

/** Parses a changed body: JSON, or for replies and webhooks any text, which is sent as it is. */
function parseBody(text: string, kind: HeldEntry["kind"]): unknown {
  if (kind === "request") return parseTypedObject(text, "Body");
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function OpenItem({ item, reload }: { item: HeldEntry; reload: () => void }) {
  const { id, kind, rule, operation, event, method, target, status, held_at } = item;
  const own = { headers: format(item.headers), body: format(item.body), status: String(status ?? "") };
  const fields = {
    headers: useSignal(own.headers),
    body: useSignal(own.body),
    status: useSignal(own.status),
  };
  const summaryOf = useSummaries();
  const isSent = kind !== "request";
  const hasBody = isSent || method !== "GET";
  const changes = (): HeldChanges => ({
    ...(fields.status.value === own.status ? {} : { status: Number(fields.status.value) }),
    ...(fields.headers.value === own.headers
      ? {}
      : { headers: changedHeaders(item.headers, parseTypedObject(fields.headers.value, "Headers")) }),
    ...(fields.body.value === own.body ? {} : { body: parseBody(fields.body.value, kind) }),
  });
  const end = async (said: string, ended: Promise<unknown>) => {
    await ended;
    notify(said);
    reload();
    go(hrefHere());
  };
  return (
    <Detail
      title={summaryOf(operation ?? event ?? "")}
      back={hrefHere()}
      actions={
        <Action
          look="danger"
          run={() => end(`The ${kind} was dropped.`, call("dropHeld", { params: { id } }))}
        >
          Drop
        </Action>
      }
    >
      <FactList
        rows={[
          ["Held", kind],
          ["Target", <code>{`${method} ${target}`}</code>],
          ["Since", `${formatTime(held_at)} UTC, ${formatDay(held_at)}`],
          ["Rule", rule && <a href={href(["rules", rule])}>{rule}</a>],
        ]}
      />
      <Section title={hasBody ? "Change before the release" : "A GET has no body to change"}>
        <Form>
          {kind === "reply" && <TextField label="Status" value={fields.status} mono required />}
          {isSent && <AreaField label="Headers" value={fields.headers} rows={4} mono />}
          {hasBody && (
            <AreaField
              label="Body"
              value={fields.body}
              rows={12}
              hint={kind === "webhook" ? "A changed webhook is signed again." : ""}
              mono
            />
          )}
          <Action
            submits
            look="primary"
            run={() =>
              end(`The ${kind} was released.`, call("releaseHeld", { params: { id }, body: changes() }))
            }
          >
            Release
          </Action>
        </Form>
      </Section>
    </Detail>
  );
}

/** Returns the headers that differ. A removed header is null. */
function changedHeaders(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, string | null> {
  const removed = Object.keys(before).filter((name) => !(name in after));
  const changed = Object.entries(after).filter(([name, value]) => before[name] !== value);
  return Object.fromEntries([
    ...removed.map((name) => [name, null] as const),
    ...changed.map(([name, value]) => [name, String(value)] as const),
  ]);
}

/** Shows how many items are held, on every screen. Absent if there are none. */
export function HeldBadge() {
  const read = useHeld();
  const count = read.data.value?.items.length ?? 0;
  if (count === 0) return null;
  return (
    <span role="status">
      <a href={href(["held"])} title="Requests, replies and webhooks that rules hold">
        <Tag tone="wait">{`${count === maxShown ? `${maxShown} or more` : count} held`}</Tag>
      </a>
    </span>
  );
}

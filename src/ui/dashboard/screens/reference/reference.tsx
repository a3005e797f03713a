/** The operations and events of a contract by section. Operations can be tried out. */
import { controlPath } from "../../../../contract/control-routes.js";
import {
  type ApiEvent,
  type ApiName,
  type Contract,
  readContract,
  useOperations,
} from "../../api/operations.js";
import { Json, Text } from "../../pieces/code.js";
import { Detail, Empty, FactList, Section, Tabs, type Tone } from "../../pieces/layout.js";
import type { ListGroup } from "../../pieces/list.js";
import { FilterText, ListScreen } from "../../pieces/list-screen.js";
import { useResource } from "../../state/resource.js";
import { href, hrefHere, route } from "../../state/route.js";
import { basePath } from "../../state/session.js";
import { AssumptionLinks } from "../assumptions/assumptions.js";
import { OperationPanel } from "./operation.js";
import { Body, FieldList, parameterField } from "./schema.js";

export function OperationReference() {
  const [first, second] = route.value.path;
  const api: ApiName = first === "control" ? "control" : "service";
  const read = useResource(async () => {
    const contract = await readContract(api);
    return { contract, items: entriesOf(contract) };
  }, [api]);
  const open = (api === "control" ? second : first) ?? null;
  const base = api === "control" ? ["control"] : [];
  const operations = useOperations();
  const valuesOf = (id: string) =>
    operations
      .find(({ operation }) => operation === id)
      ?.test_values.map(({ value }) => value)
      .join(" ");
  return (
    <ListScreen
      of={read}
      label="Operations"
      openId={open}
      hrefOf={({ id }) => hrefHere(...base, id)}
      toolbar={
        <>
          <Tabs
            label="Contracts"
            tabs={[
              ["The service", href(["reference"]), api === "service"],
              ["The control API", href(["reference", "control"]), api === "control"],
            ]}
          />
          <FilterText
            label="Filter operations"
            placeholder={api === "control" ? "Filter: clock, POST …" : "Filter: payout, POST, 7000.05 …"}
          />
        </>
      }
      textOf={({ id, method, path, summary, section, outcomes }) =>
        [id, method, path, summary, section, outcomes, valuesOf(id)].join(" ")
      }
      groupsOf={(entries) => groupsOf(entries, read.data.value?.contract.sections)}
      empty={<Empty title="There are no operations" />}
      under={<Documents api={api} />}
      detail={(data) =>
        data && open && <Open key={open} id={open} contract={data.contract} back={hrefHere(...base)} />
      }
    >
      {(entry) => <EntryRow entry={entry} />}
    </ListScreen>
  );
}

/** A row of the list: an operation, or an event. */
interface Entry {
  id: string;
  /** `EVENT` for an event. */
  method: string;
  path: string;
  summary: string;
  section: string;
  /** Names of its outcomes. */
  outcomes: string;
}

const entriesOf = ({ items, events }: Contract): Entry[] => [
  ...items.map((item) => ({ ...item, outcomes: Object.keys(item.outcomes).join(" ") })),
  ...events.map(({ id, event, description }) => ({
    id,
    method: "EVENT",
    path: event,
    summary: description,
    section: "Events",
    outcomes: "",
  })),
];

const eventSection = {
  name: "Events",
  description: "What the service posts to registered webhook endpoints, signed.",
};

/** Puts entries into their sections. */
const groupsOf = (
  entries: readonly Entry[],
  sections: readonly { name: string; description: string }[] = [],
): ListGroup<Entry>[] =>
  [...sections, eventSection]
    .map(({ name, description }) => ({
      name,
      description,
      items: entries.filter(({ section }) => section === name),
    }))
    .filter(({ items }) => items.length > 0);

function Open({ id, contract, back }: { id: string; contract: Contract; back: string }) {
  const operation = contract.items.find((candidate) => candidate.id === id);
  if (operation) return <OperationPanel operation={operation} contract={contract} back={back} />;
  const event = contract.events.find((candidate) => candidate.id === id);
  if (event) return <Event event={event} contract={contract} back={back} />;
  return (
    <Empty title={`There is no operation ${id}`}>
      <a href={back}>Show all operations</a>
    </Empty>
  );
}

/** Links to the documents behind the reference, and to the other pages of the docs. */
const Documents = ({ api }: { api: ApiName }) => (
  <p class="reference-documents links">
    <a href={basePath + controlPath(api === "control" ? "getControlContract" : "getServiceContract")}>
      OpenAPI document
    </a>
    <a href={`${basePath}/docs/exports`}>Exports</a>
    <a href={`${basePath}/llms.txt`}>llms.txt</a>
  </p>
);

/** Tones of the methods: for reads, writes and deletions. */
const methodTones: Readonly<Record<string, Tone>> = {
  GET: "calm",
  POST: "good",
  PUT: "wait",
  PATCH: "wait",
  DELETE: "bad",
};

const EntryRow = ({ entry: { method, path, summary } }: { entry: Entry }) => (
  <span class="line">
    <code class={`reference-method ${methodTones[method] ?? "over"}`}>{method}</code>
    <code>{path}</code>
    <span class="soft">
      <Text text={summary} />
    </span>
  </span>
);

interface EventProps {
  event: ApiEvent;
  contract: Contract;
  /** Address of the list. */
  back: string;
}

/** Shows an event: when and by which operations it is sent, with its headers and body. */
function Event({ event, contract, back }: EventProps) {
  const { event: kind, description, headers, body, answers, assumptions } = event;
  const causes = contract.items.filter(({ emits }) => emits.includes(kind));
  return (
    <Detail title={<code>{kind}</code>} back={back}>
      <p>
        <b>
          <Text text={description} />
        </b>
      </p>
      <FactList
        rows={[
          ["Sent", "By POST to each webhook endpoint that is registered for it"],
          [
            "Caused by",
            causes.length > 0 && (
              <span class="links">
                {causes.map(({ id, summary }) => (
                  <a key={id} href={href(["reference", id])}>
                    {summary}
                  </a>
                ))}
              </span>
            ),
          ],
        ]}
      />
      <p class="actions">
        <a class="button" href={href(["webhooks", "send"], { event: kind })}>
          Send it
        </a>
        <a class="button" href={href(["webhooks"], { event: kind })}>
          Deliveries
        </a>
      </p>
      <Section title="Headers">
        <FieldList fields={headers.map(parameterField)} />
      </Section>
      <Section title="Body">
        <Body schema={body.schema} />
      </Section>
      <Section title="Example">
        <Json value={body.example} label="Example of the body" />
      </Section>
      <Section title="Answers of the endpoint">
        <FactList rows={answers.map(({ status, description }) => [status, description])} />
      </Section>
      <AssumptionLinks ids={assumptions} />
    </Detail>
  );
}

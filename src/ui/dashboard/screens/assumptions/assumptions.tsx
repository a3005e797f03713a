/** The assumptions: questions that the interface leaves open, and the answers in force. */
import type { CallReply } from "../../../../client/client.js";
import { call } from "../../api/control.js";
import { Code, Text } from "../../pieces/code.js";
import { Detail, Empty, FactList, Section, Tag } from "../../pieces/layout.js";
import type { ListGroup } from "../../pieces/list.js";
import { FilterText, ListScreen } from "../../pieces/list-screen.js";
import { useResource } from "../../state/resource.js";
import { href, hrefHere, route } from "../../state/route.js";

type ListedAssumption = CallReply<"listAssumptions">["items"][number];

export function AssumptionsScreen() {
  const [open = null] = route.value.path;
  const read = useResource(() => call("listAssumptions"));
  return (
    <ListScreen
      of={read}
      label="Assumptions"
      openId={open}
      hrefOf={({ id }) => hrefHere(id)}
      toolbar={
        <>
          <FilterText label="Search assumptions" />
          <span class="soft">What the interface leaves open</span>
        </>
      }
      above={({ items }) => <InForce items={items} />}
      textOf={({ id, question, default: usual }) => `${id} ${question} ${usual}`}
      groupsOf={groupsOf}
      empty={<Empty title="There are no assumptions" />}
      detail={(data) => {
        const opened = data?.items.find(({ id }) => id === open);
        return opened && <OpenAssumption key={opened.id} assumption={opened} />;
      }}
    >
      {(assumption) => <AssumptionRow assumption={assumption} />}
    </ListScreen>
  );
}

/** Shows how many switchable assumptions the service confirms, and which have other values than the defaults. */
function InForce({ items }: { items: readonly ListedAssumption[] }) {
  const answers = items.filter(({ values }) => values.length > 0);
  const confirmed = answers.filter(({ value, validated }) => validated?.observed === value);
  const switched = answers.filter(isSwitched);
  return (
    <p class="above soft">
      {`The service confirms ${confirmed.length} of the ${answers.length} switchable assumptions. `}
      {switched.length === 0 ? "All have their default values." : "Switched now: "}
      {switched.map(({ id, value }) => (
        <>
          <a key={id} class="mono" href={hrefHere(id)}>{`${id}=${value}`}</a>{" "}
        </>
      ))}
    </p>
  );
}

const isSwitched = ({ value, values }: ListedAssumption): boolean => value !== (values[0] ?? null);

/** Groups assumptions by subject: the first part of their ids. */
function groupsOf(items: readonly ListedAssumption[]): ListGroup<ListedAssumption>[] {
  const groups = new Map<string, ListedAssumption[]>();
  for (const item of items) {
    const [about = ""] = item.id.split(".", 1);
    const name =
      about === "http" ? "HTTP" : about.charAt(0).toUpperCase() + about.slice(1).replaceAll("_", " ");
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return [...groups].map(([name, group]) => ({ name, items: group }));
}

const AssumptionRow = ({ assumption }: { assumption: ListedAssumption }) => (
  <span class="line question">
    <span>
      <Text text={assumption.question} />
    </span>
    <Value assumption={assumption} />
  </span>
);

/** Shows the value in force, if there are alternatives. */
const Value = ({ assumption }: { assumption: ListedAssumption }) =>
  assumption.value !== null && <Tag tone={isSwitched(assumption) ? "wait" : "over"}>{assumption.value}</Tag>;

function OpenAssumption({ assumption }: { assumption: ListedAssumption }) {
  const { id, question, default: usual, reason, value, values, alternatives, validated } = assumption;
  const other = values.find((alternative) => alternative !== value);
  return (
    <Detail title={<Text text={question} />} back={hrefHere()}>
      <div>
        {usual.split("\n").map((line) => (
          <p key={line}>
            <Text text={line} />
          </p>
        ))}
      </div>
      <p class="soft">
        <Text text={reason} />
      </p>
      <FactList
        rows={[
          ["Id", <code>{id}</code>],
          ["In force", value !== null && <Value assumption={assumption} />],
        ]}
      />
      {values.length > 0 && (
        <Section title="Other answers">
          {Object.entries(alternatives).map(([name, meaning]) => (
            <p key={name}>
              <code>{name}</code> <Text text={meaning} />
            </p>
          ))}
          <p class="soft">
            Validated against the service: {validated ? validated.age : "never"}
            {validated && validated.observed !== value
              ? `; it has ${validated.observed ?? "none of the values"}`
              : ""}
          </p>
          <Code text={`standin start --assume ${id}=${other}`} label="Command" />
          <p class="hint">
            The flag can be repeated. Without it, <code>{`STANDIN_ASSUMPTIONS="${id}=${other}"`}</code>{" "}
            switches it and, without that, <code>{`"assumptions": {"${id}": "${other}"}`}</code> in
            standin.config.json.
          </p>
        </Section>
      )}
    </Detail>
  );
}

/** Lists assumptions as the questions that they answer, folded at first. */
export function AssumptionLinks({ ids }: { ids: readonly string[] }) {
  const read = useResource(() => call("listAssumptions"));
  const questions = new Map(read.data.value?.items.map(({ id, question }) => [id, question]));
  if (ids.length === 0) return null;
  return (
    <Section title="Assumptions">
      <details>
        <summary>{`${ids.length} ${ids.length === 1 ? "assumption applies" : "assumptions apply"}`}</summary>
        <ul>
          {ids.map((id) => (
            <li key={id}>
              <a href={href(["assumptions", id])}>
                <Text text={questions.get(id) ?? id} />
              </a>
            </li>
          ))}
        </ul>
      </details>
    </Section>
  );
}

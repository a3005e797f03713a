/** The screen of scenarios: loads a scenario, shows how it plays, and runs its steps. */
import type { ScenarioEntry } from "../../../../client/account/types.js";
import type { CallReply } from "../../../../client/client.js";
import { call } from "../../api/control.js";
import { Action } from "../../pieces/button.js";
import { formatTime, plural } from "../../pieces/format.js";
import { Empty, Tag } from "../../pieces/layout.js";
import type { ListGroup } from "../../pieces/list.js";
import { FilterText, ListScreen } from "../../pieces/list-screen.js";
import { ofKinds, useResource } from "../../state/resource.js";
import { hrefHere, route } from "../../state/route.js";
import { chosenAccount } from "../../state/session.js";
import { ScenarioDetail } from "./scenario.js";

type ListedScenario = ScenarioEntry & { readonly id: string };
type LoadedView = NonNullable<CallReply<"listScenarios">["loaded"]>;

/** Subjects in the order of the list. A scenario belongs to the first whose pattern its name matches. */
const subjects = [
  ["Start here", /^demo-day$/],
  ["Payments, payouts and refunds", /^(?:payment|payout|refund|card|monthly|account-number|wallet|live-key)/],
  ["Codes and messages", /^(?:phone|channel|identity)/],
  ["People, identity and addresses", /^(?:address|bank|bvn|document|licence)/],
  ["Websites, media and sessions", /^(?:website|deep|domain|media|session|plan)/],
  ["Webhooks and faults", /^(?:webhook|fault|reply)/],
  ["Others", /^/],
] as const;

/** Groups scenarios by subject. */
function groupScenarios(scenarios: readonly ListedScenario[]): ListGroup<ListedScenario>[] {
  const subjectOf = (name: string) => subjects.find(([, pattern]) => pattern.test(name))?.[0];
  return subjects
    .map(([subject]) => ({
      name: subject,
      items: scenarios.filter(({ name }) => subjectOf(name) === subject),
    }))
    .filter(({ items }) => items.length > 0);
}

async function readScenarios() {
  const { items, loaded } = await call("listScenarios");
  return { items: items.map((scenario): ListedScenario => ({ id: scenario.name, ...scenario })), loaded };
}

export function ScenariosScreen() {
  const [open = null] = route.value.path;
  const read = useResource(readScenarios, [chosenAccount.value], ofKinds("control", "scenario", "job"));
  const reload = () => read.reload();
  return (
    <ListScreen
      of={read}
      label="Scenarios"
      openId={open}
      hrefOf={({ id }) => hrefHere(id)}
      toolbar={<FilterText label="Search names" />}
      textOf={({ name, title }) => `${name} ${title}`}
      groupsOf={groupScenarios}
      above={({ loaded }) => loaded && <LoadedScenario loaded={loaded} onLeft={reload} />}
      empty={<Empty title="There are no scenarios" />}
      detail={() => open && <ScenarioDetail key={open} name={open} onLoaded={reload} />}
    >
      {({ title, name, steps }) => (
        <span class="line">
          <b>{title}</b>
          <span class="soft mono">{name}</span>
          {read.data.value?.loaded?.name === name ? (
            <Tag tone="good">loaded</Tag>
          ) : (
            <span class="soft count">{plural(steps, "step")}</span>
          )}
        </span>
      )}
    </ListScreen>
  );
}

/** The scenario that plays on the account, and the next entry of its timeline. */
function LoadedScenario({ loaded, onLeft }: { loaded: LoadedView; onLeft(): Promise<void> }) {
  const { name, title, timeline } = loaded;
  const next = timeline
    .filter((entry) => entry.next_at !== null)
    .sort((one, other) => ((one.next_at ?? "") < (other.next_at ?? "") ? -1 : 1))[0];
  const ran = timeline.reduce((sum, entry) => sum + entry.ran, 0);
  return (
    <section class="playing" aria-label="Loaded scenario">
      <p class="grow">
        <b>{title}</b> is loaded.{" "}
        {timeline.length > 0 && (
          <span class="soft">
            {plural(ran, "step")} of its timeline so far.{" "}
            {next?.next_at && `Next at ${formatTime(next.next_at)}: ${next.says}.`}
          </span>
        )}
      </p>
      <Action
        run={async () => {
          await call("leaveScenario", { params: { name } });
          await onLeft();
        }}
      >
        End it
      </Action>
    </section>
  );
}

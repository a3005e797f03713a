/** Scenarios: load one, watch it play, run its steps; and what clients have covered, and which assumptions are in force. */

import type { CallReply } from "../../../../client/control-call.js";
import { call } from "../../api/control.js";
import { Action } from "../../pieces/button.js";
import { formatTime, plural } from "../../pieces/format.js";
import { Loaded, Split, Tag, Toolbar } from "../../pieces/layout.js";
import { List } from "../../pieces/list.js";
import { Tabs } from "../../pieces/tabs.js";
import { ofKinds, useResource } from "../../state/resource.js";
import { href, hrefHere, route, setQuery } from "../../state/route.js";
import { chosenAccount } from "../../state/session.js";
import { AssumptionsScreen } from "./assumptions.js";
import { CoverageScreen } from "./coverage.js";
import { ScenarioDetail } from "./scenario.js";

type LoadedView = NonNullable<CallReply<"listScenarios">["loaded"]>;

export function ScenariosScreen() {
  const [open = null] = route.value.path;
  const q = (route.value.query.get("q") ?? "").toLowerCase();
  const read = useResource(
    () => call("listScenarios"),
    [chosenAccount.value],
    ofKinds("control", "scenario", "job"),
  );
  return (
    <Loaded of={read}>
      {({ items, loaded }) => {
        const rows = items
          .filter(({ name, title }) => `${name} ${title}`.toLowerCase().includes(q))
          .map((scenario) => ({ id: scenario.name, ...scenario }));
        return (
          <Split
            list={
              <>
                <Toolbar>
                  <input
                    type="search"
                    data-filter
                    class="filter-text"
                    placeholder="Filter  /"
                    aria-label="Search names"
                    value={route.value.query.get("q") ?? ""}
                    onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
                  />
                  <Tabs
                    label="Scenarios"
                    tabs={[
                      ["Coverage", href(["scenarios", "coverage"]), open === "coverage"],
                      ["Assumptions", href(["scenarios", "assumptions"]), open === "assumptions"],
                    ]}
                  />
                </Toolbar>
                {loaded && <LoadedScenario loaded={loaded} onLeft={() => read.reload()} />}
                <div class="list-frame">
                  <List label="Scenarios" items={rows} openId={open} hrefOf={({ id }) => hrefHere(id)}>
                    {({ title, name, steps }) => (
                      <span class="line">
                        <b>{title}</b>
                        <span class="soft mono">{name}</span>
                        {loaded?.name === name ? (
                          <Tag tone="good">loaded</Tag>
                        ) : (
                          <span class="soft count">{plural(steps, "step")}</span>
                        )}
                      </span>
                    )}
                  </List>
                </div>
              </>
            }
            detail={open && <Open name={open} onLoaded={() => read.reload()} />}
          />
        );
      }}
    </Loaded>
  );
}

function Open({ name, onLoaded }: { name: string; onLoaded(): Promise<void> }) {
  if (name === "coverage") return <CoverageScreen />;
  if (name === "assumptions") return <AssumptionsScreen />;
  return <ScenarioDetail key={name} name={name} onLoaded={onLoaded} />;
}

/** The scenario that plays on the account, and what its timeline does next. */
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
            {plural(ran, "event")} of its timeline so far
            {next?.next_at ? `; next ${next.do.replaceAll("_", " ")} at ${formatTime(next.next_at)}` : ""}.
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

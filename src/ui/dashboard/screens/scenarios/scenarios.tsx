/** Scenarios: load one, watch it play, run its steps. */
import type { CallReply } from "../../../../client/control-call.js";
import { call } from "../../api/control.js";
import { Action } from "../../pieces/button.js";
import { formatTime, plural } from "../../pieces/format.js";
import { GroupedList } from "../../pieces/grouped-list.js";
import { Empty, Loaded, Split, Tag, Toolbar } from "../../pieces/layout.js";
import { FilterText } from "../../pieces/list-screen.js";
import { ofKinds, useResource } from "../../state/resource.js";
import { hrefHere, route } from "../../state/route.js";
import { chosenAccount } from "../../state/session.js";
import { ScenarioDetail } from "./scenario.js";
import { groupScenarios } from "./subjects.js";

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
        const found = items.filter(({ name, title }) => `${name} ${title}`.toLowerCase().includes(q));
        return (
          <Split
            list={
              <>
                <Toolbar>
                  <FilterText label="Search names" />
                </Toolbar>
                {loaded && <LoadedScenario loaded={loaded} onLeft={() => read.reload()} />}
                {found.length === 0 ? (
                  <Empty title="No scenario has this name" />
                ) : (
                  <GroupedList
                    label="Scenarios"
                    groups={groupScenarios(found)}
                    openId={open}
                    hrefOf={({ id }) => hrefHere(id)}
                  >
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
                  </GroupedList>
                )}
              </>
            }
            detail={open && <ScenarioDetail key={open} name={open} onLoaded={() => read.reload()} />}
          />
        );
      }}
    </Loaded>
  );
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

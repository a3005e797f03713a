/** The coverage of this account: the parts of the service that clients have exercised, and the rest. */
import { call } from "../../api/control.js";
import { useSummaries } from "../../api/operations.js";
import { formatName } from "../../pieces/format.js";
import { Loaded, Section, Tabs, Tag } from "../../pieces/layout.js";
import { notify } from "../../pieces/toasts.js";
import { useResource } from "../../state/resource.js";
import { href, route } from "../../state/route.js";
import { chosenAccount } from "../../state/session.js";
import { CountedMoves } from "../records/move-table.js";

type Scope = "account" | "all";

async function readCoverage(scope: Scope) {
  const [report, { items: machines }] = await Promise.all([
    call("getCoverage", { query: { scope } }),
    call("listMachines"),
  ]);
  return { report, machines };
}

type CoverageRead = Awaited<ReturnType<typeof readCoverage>>;
type Machine = CoverageRead["machines"][number];
type Transition = CoverageRead["report"]["transitions"][number];

/** The moves of the machines that were used, and the names of the others. */
function Machines({
  machines,
  transitions,
}: Pick<CoverageRead, "machines"> & Pick<CoverageRead["report"], "transitions">) {
  const ofMachine = ({ name }: Machine) => transitions.filter(({ machine }) => machine === name);
  const isUsed = (machine: Machine) => ofMachine(machine).some(({ count }) => count > 0);
  const unused = machines.filter((machine) => !isUsed(machine) && ofMachine(machine).length > 0);
  return (
    <>
      {machines.filter(isUsed).map((machine) => (
        <div key={machine.name}>
          <h3>{formatName(machine.name)}</h3>
          <CountedMoves machine={machine} transitions={ofMachine(machine)} onMove={makeHappen} />
        </div>
      ))}
      {unused.length > 0 && (
        <p class="soft">{`Never used: ${unused.map(({ name }) => formatName(name)).join(", ")}.`}</p>
      )}
    </>
  );
}

/** Makes a move on the newest record of this account that is in the required state. Rejects if there is none. */
async function makeHappen({ machine, move, from }: Transition): Promise<void> {
  const { items } = await call("listRecords", { params: { machine }, query: { state: from, limit: 1 } });
  const [record] = items;
  if (!record) {
    throw new Error(
      `${move} needs a record in the state ${from}, and this account has no such ${formatName(machine)}.`,
    );
  }
  const { state } = await call("moveRecord", { params: { id: record.id, move }, body: {} });
  notify(`${record.id} is now ${state}.`);
}

/** Sorts operations: each call of a client counts more than all calls of scenarios. */
const callsOf = ({ calls, scenario_calls }: CoverageRead["report"]["operations"][number]): number =>
  calls + scenario_calls / 1e6;

export function CoverageScreen() {
  const scope: Scope = route.value.query.get("scope") === "all" ? "all" : "account";
  const read = useResource(
    () => readCoverage(scope),
    [chosenAccount.value, scope],
    () => true,
  );
  const summaryOf = useSummaries();
  return (
    <div class="page">
      <Tabs
        label="Accounts"
        tabs={[
          ["This account", href(["coverage"]), scope === "account"],
          ["All accounts", href(["coverage"], { scope: "all" }), scope === "all"],
        ]}
      />
      <Loaded of={read}>
        {({ machines, report: { summary, operations, transitions, events } }) => (
          <>
            <div class="columns">
              {Object.entries(summary).map(([name, { exercised, total }]) => (
                <p key={name}>
                  <b>{exercised}</b> <span class="soft">{`of ${total} ${name}`}</span>
                  <progress value={exercised} max={total} aria-label={`Share of ${name}`} />
                </p>
              ))}
            </div>
            <Section title="Operations" level={2}>
              <table class="table counted">
                <thead>
                  <tr>
                    <th scope="col">Operation</th>
                    <th scope="col">Outcomes</th>
                    <th scope="col" title="Calls of clients, including the steps of scenarios">
                      Clients
                    </th>
                    <th
                      scope="col"
                      title="Calls that loaded scenarios made themselves. They do not count as exercised."
                    >
                      Scenarios
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {[...operations]
                    .sort((one, other) => callsOf(other) - callsOf(one))
                    .map(({ operation, calls, scenario_calls, outcomes }) => (
                      <tr key={operation} class={calls + scenario_calls === 0 ? "soft" : ""}>
                        <td>
                          {summaryOf(operation)} <code class="hint">{operation}</code>
                        </td>
                        <td>{`${outcomes.filter(({ count }) => count > 0).length} of ${outcomes.length}`}</td>
                        <td>{calls}</td>
                        <td>{scenario_calls}</td>
                      </tr>
                    ))}
                </tbody>
              </table>
            </Section>
            <Section title="State machines" level={2}>
              <Machines machines={machines} transitions={transitions} />
            </Section>
            <Section title="Events" level={2}>
              <p class="tags">
                {events.map(({ event, count }) => (
                  <Tag key={event} tone={count > 0 ? "good" : "over"}>{`${event} ${count}`}</Tag>
                ))}
              </p>
            </Section>
          </>
        )}
      </Loaded>
    </div>
  );
}

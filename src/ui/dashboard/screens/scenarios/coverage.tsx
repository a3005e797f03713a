/** The coverage of this account: what clients have exercised, and what they have not. */
import { call } from "../../api/control.js";
import { Detail, Loaded, Section, Tag } from "../../pieces/layout.js";
import { useResource } from "../../state/resource.js";
import { hrefHere } from "../../state/route.js";
import { chosenAccount } from "../../state/session.js";
import { CoverageDiagram } from "../records/diagram.js";

async function readCoverage() {
  const [report, { items: machines }] = await Promise.all([
    call("getCoverage", { query: { scope: "account" } }),
    call("listMachines"),
  ]);
  return { report, machines };
}

type CoverageRead = Awaited<ReturnType<typeof readCoverage>>;

/** The machines that were used as drawings, and the names of the others. */
function Machines({
  machines,
  transitions,
}: Pick<CoverageRead, "machines"> & Pick<CoverageRead["report"], "transitions">) {
  const ofMachine = ({ name }: CoverageRead["machines"][number]) =>
    transitions.filter(({ machine }) => machine === name);
  const isUsed = (machine: CoverageRead["machines"][number]) =>
    ofMachine(machine).some(({ count }) => count > 0);
  const unused = machines.filter((machine) => !isUsed(machine) && ofMachine(machine).length > 0);
  return (
    <>
      {machines.filter(isUsed).map((machine) => (
        <div key={machine.name}>
          <h4>{machine.name.replaceAll("_", " ")}</h4>
          <CoverageDiagram machine={machine} transitions={ofMachine(machine)} />
        </div>
      ))}
      {unused.length > 0 && (
        <p class="soft">{`Never used: ${unused.map(({ name }) => name.replaceAll("_", " ")).join(", ")}.`}</p>
      )}
    </>
  );
}

export function Coverage() {
  const read = useResource(readCoverage, [chosenAccount.value], () => true);
  return (
    <Detail title="Coverage of this account" back={hrefHere()}>
      <Loaded of={read}>
        {({ machines, report: { summary, operations, transitions, events } }) => (
          <>
            <div class="shares">
              {Object.entries(summary).map(([name, { exercised, total }]) => (
                <p key={name}>
                  <b>{exercised}</b> <span class="soft">{`of ${total} ${name}`}</span>
                  <progress value={exercised} max={total} aria-label={`Share of ${name}`} />
                </p>
              ))}
            </div>
            <Section title="Operations">
              <table class="table">
                <thead>
                  <tr>
                    <th scope="col">Operation</th>
                    <th scope="col">Outcomes seen</th>
                    <th scope="col">Calls</th>
                  </tr>
                </thead>
                <tbody>
                  {[...operations]
                    .sort((one, other) => other.calls - one.calls)
                    .map(({ operation, calls, outcomes }) => (
                      <tr key={operation} class={calls === 0 ? "soft" : ""}>
                        <td class="mono">{operation}</td>
                        <td>{`${outcomes.filter(({ count }) => count > 0).length} of ${outcomes.length}`}</td>
                        <td>{calls}</td>
                      </tr>
                    ))}
                </tbody>
              </table>
            </Section>
            <Section title="State machines">
              <Machines machines={machines} transitions={transitions} />
            </Section>
            <Section title="Events">
              <p class="tags">
                {events.map(({ event, count }) => (
                  <Tag key={event} tone={count > 0 ? "good" : "over"}>{`${event} ${count}`}</Tag>
                ))}
              </p>
            </Section>
          </>
        )}
      </Loaded>
    </Detail>
  );
}

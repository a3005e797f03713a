/** The coverage of this account: what clients have exercised, and what they have not. */
import { call } from "../../api/control.js";
import { Detail, Loaded, Section, Tag } from "../../pieces/layout.js";
import { useResource } from "../../state/resource.js";
import { hrefHere } from "../../state/route.js";
import { chosenAccount } from "../../state/session.js";

export function Coverage() {
  const read = useResource(
    () => call("getCoverage", { query: { scope: "account" } }),
    [chosenAccount.value],
    () => true,
  );
  return (
    <Detail title="Coverage of this account" back={hrefHere()}>
      <Loaded of={read}>
        {({ summary, operations, events }) => (
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

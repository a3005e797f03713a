/** The assumptions: questions that the interface leaves open, and the values in force. */
import { useSignal } from "@preact/signals";
import { call } from "../../api/control.js";
import { Code } from "../../pieces/code.js";
import { Detail, Loaded, Tag } from "../../pieces/layout.js";
import { Text } from "../../pieces/text.js";
import { useResource } from "../../state/resource.js";
import { hrefHere } from "../../state/route.js";

export function AssumptionsScreen() {
  const read = useResource(() => call("listAssumptions"));
  const q = useSignal("");
  return (
    <Detail title="Assumptions" back={hrefHere()}>
      <input
        type="search"
        placeholder="Filter"
        aria-label="Search assumptions"
        value={q}
        onInput={({ currentTarget }) => {
          q.value = currentTarget.value;
        }}
      />
      <Loaded of={read}>
        {({ items }) => (
          <div>
            {items
              .filter((item) =>
                `${item.id} ${item.question} ${item.default}`.toLowerCase().includes(q.value.toLowerCase()),
              )
              .map(({ id, question, default: usual, reason, value, values, alternatives, validated }) => (
                <details class="attempt" key={id}>
                  <summary>
                    <b class="mono grow">{id}</b>
                    {value !== null && <Tag tone={value === values[0] ? "over" : "wait"}>{value}</Tag>}
                  </summary>
                  <p>
                    <b>
                      <Text text={question} />
                    </b>
                  </p>
                  <p>
                    <Text text={usual} />
                  </p>
                  <p class="soft">
                    <Text text={reason} />
                  </p>
                  {Object.entries(alternatives).map(([name, meaning]) => (
                    <p key={name}>
                      <code>{name}</code> <Text text={meaning} />
                    </p>
                  ))}
                  {values.length > 0 && (
                    <p class="soft">
                      Validated against the service: {validated ? validated.age : "never"}
                      {validated && validated.observed !== value
                        ? `; it has ${validated.observed ?? "none of the values"}`
                        : ""}
                    </p>
                  )}
                  {values.length > 0 && (
                    <Code
                      text={`standin start --assume ${id}=${values.find((one) => one !== value)}`}
                      label="Command"
                    />
                  )}
                </details>
              ))}
          </div>
        )}
      </Loaded>
    </Detail>
  );
}

/** Messages as people would see them. */
import { control } from "../../api/control.js";
import { Empty, Loaded } from "../../pieces/layout.js";
import { ofKinds, useResource } from "../../state/resource.js";

export function Inbox() {
  const messages = useResource(() => control.messages({ limit: 200 }), [], ofKinds("message"));
  return (
    <Loaded of={messages}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty title="No messages yet" />
        ) : (
          <ul class="plain-list">
            {items.map(({ id, to, text }) => (
              <li key={id}>
                {to}: {text}
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

/** The receiver of webhooks in a story: the last event that it got so far, and what it answered. */
import type { ActivityEntry } from "../../../../client/account/types.js";
import { call } from "../../api/control.js";
import { Json } from "../../pieces/code.js";
import { Loaded } from "../../pieces/layout.js";
import { useResource } from "../../state/resource.js";
import { CallStatus } from "../activity/row.js";

/** `past`: what has happened so far, oldest first. */
export function StoryReceiver({ past }: { past: readonly ActivityEntry[] }) {
  const activity = past.findLast(({ attempt }) => attempt !== null);
  if (!activity?.attempt) return <p class="stage-empty soft">No webhook so far.</p>;
  const { event, url, number } = activity.attempt;
  return (
    <section class="stage-receiver" aria-label="Receiver">
      <p>
        <b class="mono">{event}</b> <CallStatus activity={activity} />
      </p>
      <p class="soft">
        {url}
        {number > 1 && `, attempt ${number}`}
      </p>
      <SentBody key={activity.id} delivery={activity.refs.delivery as string} number={number} />
    </section>
  );
}

function SentBody({ delivery, number }: { delivery: string; number: number }) {
  const read = useResource(() => call("getDelivery", { params: { id: delivery } }), [delivery]);
  return (
    <Loaded of={read}>
      {({ attempts }) => <Json value={attempts[number - 1]?.request_body ?? ""} label="Body that was sent" />}
    </Loaded>
  );
}

/** Takes the account back to the moment before the open activity. */
import type { ActivityEntry } from "../../../../client/account/types.js";
import { call } from "../../api/control.js";
import { Action } from "../../pieces/button.js";
import { formatTime } from "../../pieces/format.js";
import { go, href } from "../../state/route.js";
import { notify } from "../../state/toasts.js";

export const BackToHere = ({ activity: { id } }: { activity: ActivityEntry }) => (
  <Action
    run={() => rewind(id)}
    title="Takes the account back to the moment before this activity. What happened since then is undone."
  >
    Back to here
  </Action>
);

async function rewind(to: string): Promise<void> {
  // The open activity will be gone.
  go(href(["activity"]));
  const { at, sent } = await call("rewindAccount", { body: { to } });
  const webhooks =
    sent.length === 0
      ? ""
      : ` Receivers keep the webhooks that they got (${sent.length}): they cannot be called back.`;
  notify(`The account is as it was before ${formatTime(at)} UTC.${webhooks}`);
}

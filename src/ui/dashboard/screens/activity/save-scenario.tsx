/** Saves what happened since an activity as a scenario file. */
import { call } from "../../api/control.js";
import { Action } from "../../pieces/button.js";
import { saveJson } from "../../pieces/save-file.js";
import { notify } from "../../state/toasts.js";

export const SaveScenario = ({ since }: { since: string }) => (
  <Action run={() => save(since)}>Save as scenario</Action>
);

async function save(since: string): Promise<void> {
  const { scenario, left_out } = await call("getRecording", { query: { since, inline: true } });
  saveJson(scenario, "recorded.json");
  const omitted = left_out.length === 0 ? "" : ` Left out: ${left_out.join("; ")}.`;
  notify(
    `Everything since then is in recorded.json; standin scenario run recorded.json repeats it.${omitted}`,
  );
}

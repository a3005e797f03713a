/** Saves what happened since an activity as a scenario file. */
import { call } from "../../api/control.js";
import { Action } from "../../pieces/button.js";
import { notify } from "../../state/toasts.js";

export const SaveScenario = ({ since }: { since: string }) => (
  <Action run={() => save(since)}>Save as scenario</Action>
);

async function save(since: string): Promise<void> {
  const { scenario, left_out } = await call("getRecording", { query: { since, inline: true } });
  const file = new Blob([JSON.stringify(scenario, null, 2)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = "recorded.json";
  link.click();
  URL.revokeObjectURL(link.href);
  const omitted = left_out.length === 0 ? "" : ` Left out: ${left_out.join("; ")}.`;
  notify(
    `Everything since then is in recorded.json; standin scenario run recorded.json repeats it.${omitted}`,
  );
}

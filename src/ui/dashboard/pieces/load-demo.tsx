/** Loads scenarios onto the account. The button of empty screens fills them with the scenario Demo day. */
import { describeOtherEndpoints } from "../../../client/scenario-run/other-endpoints.js";
import { call } from "../api/control.js";
import { setClock } from "../state/live.js";
import { useResource } from "../state/resource.js";
import { notify } from "../state/toasts.js";
import { Action } from "./button.js";
import { formatDay, formatTime } from "./format.js";

/** Absent if the sandbox was built without the scenario. */
export function LoadDemo() {
  const scenarios = useResource(() => call("listScenarios"));
  if (!scenarios.data.value?.items.some(({ name }) => name === "demo-day")) return null;
  return (
    <p>
      <Action run={() => loadScenario("demo-day", "Demo day is loaded and plays by itself.")} look="primary">
        Load demo day
      </Action>
    </p>
  );
}

/**
 * Loads a scenario and says that it is, together with what the user may not expect: which endpoints that the account had before
 * get the events as well, and that a clock which stood still no longer does.
 */
export async function loadScenario(name: string, isLoaded: string): Promise<void> {
  const before = await call("getClock");
  const loaded = await call("loadScenario", { params: { name } });
  const [after, endpoints] = await Promise.all([call("getClock"), call("listWebhooks")]);
  setClock(after);
  const sentences = [isLoaded, describeOtherEndpoints(loaded, endpoints.items)];
  if (before.mode !== "running" && after.mode === "running")
    sentences.push(
      `The clock, ${before.mode} at ${formatTime(before.now)} UTC on ${formatDay(before.now)}, runs again from ${formatTime(after.now)} UTC on ${formatDay(after.now)}.`,
    );
  notify(sentences.filter((sentence) => sentence !== "").join(" "));
}

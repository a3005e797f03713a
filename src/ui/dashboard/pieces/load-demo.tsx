/** The button of empty screens that fills them: it loads the scenario Demo day onto the account. */
import { call } from "../api/control.js";
import { useResource } from "../state/resource.js";
import { notify } from "../state/toasts.js";
import { Action } from "./button.js";

/** Absent if the sandbox was built without the scenario. */
export function LoadDemo() {
  const scenarios = useResource(() => call("listScenarios"));
  if (!scenarios.data.value?.items.some(({ name }) => name === "demo-day")) return null;
  return (
    <p>
      <Action run={loadDemo} look="primary">
        Load demo day
      </Action>
    </p>
  );
}

async function loadDemo(): Promise<void> {
  await call("loadScenario", { params: { name: "demo-day" } });
  notify("Demo day is loaded and plays by itself.");
}

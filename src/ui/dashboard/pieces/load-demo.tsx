/** Loads scenarios. The button of empty screens plays the scenario Demo day on a separate account. */
import { describeOtherEndpoints } from "../../../client/scenario-run/describe.js";
import { accountOfKey, call, controlClient } from "../api/control.js";
import { setClock } from "../state/live.js";
import { useResource } from "../state/resource.js";
import { go, href, route } from "../state/route.js";
import { keepServiceKey, shownAccount } from "../state/session.js";
import { Action } from "./button.js";
import { formatDay, formatTime } from "./format.js";
import { notify } from "./toasts.js";

/** Shows the button, unless the sandbox was built without the scenario. */
export function LoadDemo() {
  const scenarios = useResource(() => call("listScenarios"));
  if (!scenarios.data.value?.items.some(({ name }) => name === "demo-day")) return null;
  return (
    <p>
      <Action
        run={playDemo}
        look="primary"
        title="Plays on a separate account with the key svc_test_demo_day. Other accounts do not change"
      >
        Load demo day
      </Action>
    </p>
  );
}

/** API key of the account that the demo plays on, so that it does not replace the state that somebody tests. */
const demoKey = "svc_test_demo_day";

async function playDemo(): Promise<void> {
  const account = await accountOfKey(demoKey);
  await controlClient(account).call("updateAccount", { body: { name: "Demo day" } });
  if (account !== shownAccount.value) {
    keepServiceKey(demoKey, account);
    const isShown = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
    go(href([route.value.screen], { account }));
    await isShown;
  }
  await loadScenario("demo-day", "Demo day is loaded and plays by itself.");
}

/**
 * Loads a scenario and confirms it, together with effects that the user may not expect: earlier endpoints of the account that
 * also get the events, and a stopped clock that runs again.
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

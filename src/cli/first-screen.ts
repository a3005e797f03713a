/** What a newcomer sees first: all that is needed, nothing else. */
import { firstCall } from "../first-call.js";
import type { RunningSandbox } from "../sandbox.js";
import { colors } from "./colors.js";

const anyKey = "Any other key opens a world of its own.";
const registeredOnly =
  "Only keys that the config names or POST /_sandbox/keys registers are served, these two included.";

const closedControl =
  "Bound off loopback without --admin-token, the control API and the pages on it are closed: start with one to use them.";

/** `open`: the control API answers somebody. */
export function firstScreen(sandbox: RunningSandbox, version: string, where: string, open: boolean): string {
  const { url, testKey, liveKey, settings } = sandbox;
  const row = (label: string, value: string) => `  ${colors.dim(label.padEnd(12))}${value}`;
  return [
    "",
    `  ${colors.bold(colors.green("Standin"))} ${version} ${colors.dim("is ready; nothing real is sent or charged")}`,
    "",
    row("Base URL", colors.bold(url)),
    row("Test key", testKey),
    row("Live key", liveKey),
    row("State", where),
    "",
    `  ${colors.dim("Try it:")}`,
    `  ${firstCall(url, testKey)}`,
    "",
    `  ${colors.dim("See what happened:")}`,
    ...(open
      ? [
          row("Inbox", `${url}/_sandbox/inbox`),
          row("Requests", `${url}/_sandbox/requests`),
          row("Webhooks", `${url}/_sandbox/deliveries`),
        ]
      : [`  ${closedControl}`]),
    row("Docs", `${url}/docs`),
    row("Start page", `${url}/`),
    "",
    `  ${colors.dim(`${settings.registeredKeysOnly ? registeredOnly : anyKey} Ctrl+C stops.`)}`,
    "",
    "",
  ].join("\n");
}

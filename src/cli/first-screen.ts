/** What a newcomer sees first: all that is needed, nothing else. */
import colors from "picocolors";
import { firstCall } from "../first-call.js";
import type { RunningSandbox } from "../sandbox.js";

export function firstScreen(sandbox: RunningSandbox, version: string, where: string): string {
  const { url, testKey, liveKey } = sandbox;
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
    row("Inbox", `${url}/_sandbox/inbox`),
    row("Requests", `${url}/_sandbox/requests`),
    row("Webhooks", `${url}/_sandbox/deliveries`),
    row("Start page", `${url}/`),
    "",
    `  ${colors.dim("Any other key opens a world of its own. Ctrl+C stops.")}`,
    "",
    "",
  ].join("\n");
}

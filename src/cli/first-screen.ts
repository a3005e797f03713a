/** The first screen of `standin start`: how to call the sandbox, and where to see what happened. */

import { firstCall } from "../client/first-call.js";
import { controlPath, controlRoutes } from "../contract/control-routes.js";
import { type RunningSandbox, version } from "../sandbox.js";
import type { ControlAccess } from "../server/guard.js";
import { colors } from "./output/print.js";

const trustNote = "  (clients trust it with the authority that standin ca prints)";
const anyKey = "Every other API key opens an account of its own.";
const registeredKeysOnly = `Only these two keys, those in the config file and those registered with ${controlRoutes.registerKey} are accepted.`;

const accessNotes: Readonly<Record<Exclude<ControlAccess, "anybody">, string>> = {
  token: "These require the admin token.",
  closed:
    "The control API and its pages are closed, because the address is not loopback. Set --admin-token to open them.",
  off: "The control API and its pages are off.",
};

/** `state` says where state is kept, `access` who may use the control API. */
export function formatFirstScreen(sandbox: RunningSandbox, state: string, access: ControlAccess): string {
  const hasControl = access === "anybody" || access === "token";
  const { url, localUrl, testKey, liveKey, settings } = sandbox;
  const row = (label: string, value: string) => `  ${colors.dim(label.padEnd(12))}${value}`;
  return [
    "",
    `  ${colors.bold(colors.green("Standin"))} ${version} ${colors.dim("is ready. Nothing real is sent or charged.")}`,
    "",
    row("Base URL", colors.bold(url)),
    ...(localUrl === url ? [] : [row("Local URL", localUrl)]),
    ...(sandbox.tlsUrl === null ? [] : [row("HTTPS", `${sandbox.tlsUrl}${sandbox.ca ? trustNote : ""}`)]),
    row("Test key", testKey),
    row("Live key", liveKey),
    row("State", state),
    "",
    `  ${colors.dim("Try it:")}`,
    `  ${firstCall(url, testKey)}`,
    "",
    `  ${colors.dim("See what happened:")}`,
    ...(hasControl
      ? [
          row("Inbox", `${url}${controlPath("listMessages")}`),
          row("Requests", `${url}${controlPath("listRequests")}`),
          row("Webhooks", `${url}${controlPath("listDeliveries")}`),
        ]
      : []),
    ...(access === "anybody" ? [] : [`  ${accessNotes[access]}`]),
    row("Docs", `${url}/docs`),
    row("Dashboard", `${url}/`),
    "",
    `  ${colors.dim(`${settings.registeredKeysOnly ? registeredKeysOnly : anyKey} Press Ctrl+C to stop.`)}`,
    "",
    "",
  ].join("\n");
}

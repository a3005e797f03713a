/** `standin tail`: shows what happens to an account, live. */
import type { Command } from "commander";
import type { ActivityEntry } from "../../client/account/types.js";
import { ControlError, readActivity, type StreamEvent } from "../../client/client.js";
import { delay } from "../../time/time.js";
import { activityKinds } from "../../world/activity/activity.js";
import { topCommand } from "../command-list.js";
import { type ConnectionFlags, connect, controlOptions } from "../connection.js";
import { CommandError, printError } from "../errors.js";
import { type FlagsOf, flagTable, withFlags } from "../flags.js";
import { print } from "../output/print.js";
import { stopController } from "../signals.js";
import { formatLine } from "./log.js";

const options = flagTable(null, [
  ["--kind <kind>", "only activities of this kind", { choices: activityKinds }],
]);

type Flags = ConnectionFlags & FlagsOf<typeof options>;

/** Wall-clock time between two attempts to reach a sandbox that has stopped answering, in ms. */
const reconnectIntervalMs = 500;

export const tailCommand = (): Command =>
  withFlags(
    topCommand("tail", ["standin tail", "standin tail --kind attempt", "standin tail --json | jq .title"]),
    options,
    ...controlOptions("print one line of JSON for each activity"),
  ).action(tail);

async function tail(flags: Flags): Promise<void> {
  const stop = stopController();
  const client = connect(flags);
  let lastEventId: string | undefined;
  let isConnected = false;
  while (!stop.signal.aborted) {
    try {
      for await (const event of readActivity(client, { signal: stop.signal, lastEventId })) {
        if (!isConnected && lastEventId !== undefined) printError("connected again");
        isConnected = true;
        lastEventId = event.id || lastEventId || "none";
        show(event, flags);
      }
    } catch (error) {
      if (stop.signal.aborted) return;
      if (error instanceof ControlError) throw new CommandError(error.message);
      // The first connection has to succeed; later ones wait for the sandbox to come back.
      if (lastEventId === undefined) throw error;
    }
    if (isConnected && !stop.signal.aborted)
      printError(`the sandbox at ${client.baseUrl} has stopped answering; waiting for it`);
    isConnected = false;
    await delay(reconnectIntervalMs, stop.signal);
  }
}

function show({ event, data }: StreamEvent, { kind, json }: Flags): void {
  if (event === "gap")
    return printError("some activities are missing: the account was reset, or they came too fast");
  if (event !== "activity") return;
  const entry = data as ActivityEntry;
  if (kind !== undefined && entry.kind !== kind) return;
  // A request is sent once it changes something, and again when it has been answered.
  if (entry.call?.method && entry.call.duration_ms === null) return;
  print(`${json ? JSON.stringify(entry) : formatLine(entry)}\n`);
}

/** The commands beside `start`, in the groups in which --help shows them. */
import type { Command } from "commander";
import { advanceCommand } from "./advance.js";
import { assumptionsCommand } from "./assumptions.js";
import { inboxCommand } from "./inbox.js";
import { openapiCommand } from "./openapi.js";
import { resetCommand } from "./reset.js";
import { restoreCommand } from "./restore.js";
import { snapshotCommand } from "./snapshot.js";
import { triggerCommand } from "./trigger.js";
import { valuesCommand } from "./values.js";

const groups: Readonly<Record<string, readonly (() => Command)[]>> = {
  "Make things happen in a running sandbox:": [triggerCommand, advanceCommand],
  "See what happened:": [inboxCommand],
  "Keep and put back an account's state:": [resetCommand, snapshotCommand, restoreCommand],
  "Look things up:": [valuesCommand, assumptionsCommand, openapiCommand],
};

export const commands = (): Command[] =>
  Object.entries(groups).flatMap(([heading, makers]) => makers.map((make) => make().helpGroup(heading)));

/** The commands beside `start`, in the groups in which --help shows them. */
import type { Command } from "commander";
import { advanceCommand } from "./advance.js";
import { assumptionsCommand } from "./assumptions/assumptions.js";
import { completionCommand } from "./completion/completion.js";
import { execCommand } from "./exec/exec.js";
import { inboxCommand } from "./inbox.js";
import { openapiCommand } from "./openapi.js";
import { pactCommand } from "./pact.js";
import { resetCommand } from "./reset.js";
import { restoreCommand } from "./restore.js";
import { scenarioCommand } from "./scenario/scenario.js";
import { snapshotCommand } from "./snapshot.js";
import { triggerCommand } from "./trigger.js";
import { valuesCommand } from "./values.js";
import { verifyCommand } from "./verify/verify.js";
import { listenCommand } from "./webhooks/listen.js";
import { webhooksCommand } from "./webhooks/webhooks.js";

const groups: Readonly<Record<string, readonly (() => Command)[]>> = {
  "Run it:": [execCommand],
  "Make things happen in a running sandbox:": [triggerCommand, advanceCommand],
  "See what happened:": [inboxCommand, listenCommand],
  "Keep and put back an account's state:": [resetCommand, snapshotCommand, restoreCommand],
  "Check your own code:": [scenarioCommand, pactCommand, verifyCommand, webhooksCommand],
  "Look things up:": [valuesCommand, assumptionsCommand, openapiCommand, completionCommand],
};

export const commands = (): Command[] =>
  Object.entries(groups).flatMap(([heading, makers]) => makers.map((make) => make().helpGroup(heading)));

/** The commands other than `start`, in the groups in which --help lists them. */
import type { Command } from "commander";
import { advanceCommand } from "./account/advance.js";
import { heldCommand } from "./account/held.js";
import { inboxCommand } from "./account/inbox.js";
import { resetCommand, restoreCommand, snapshotCommand } from "./account/state.js";
import { triggerCommand } from "./account/trigger.js";
import { explainCommand } from "./activity/explain.js";
import { harCommand } from "./activity/har.js";
import { tailCommand } from "./activity/tail.js";
import { assumptionsCommand } from "./assumptions/command.js";
import { bundleCommand } from "./bundle/bundle.js";
import { openCommand } from "./bundle/open.js";
import { caCommand } from "./ca.js";
import { completionCommand } from "./completion/command.js";
import { completeCommand } from "./completion/offer.js";
import { coverageCommand } from "./coverage/command.js";
import { driftCommand } from "./drift/command.js";
import { examCommand } from "./exam/command.js";
import { execCommand } from "./exec/command.js";
import { exportCommand } from "./export.js";
import { healthCommand } from "./health.js";
import { initCommand } from "./init/command.js";
import { mcpCommand } from "./mcp/command.js";
import { recordCommand } from "./record/command.js";
import { scenarioCommand } from "./scenario/command.js";
import { valuesCommand } from "./test-values.js";
import { verifyCommand } from "./verify/command.js";
import { webhooksCommand } from "./webhooks/command.js";
import { listenCommand } from "./webhooks/listen.js";

const groups: Readonly<Record<string, readonly (() => Command)[]>> = {
  "Run a sandbox:": [execCommand, healthCommand, caCommand],
  "Control a running sandbox:": [triggerCommand, advanceCommand, heldCommand],
  "See what happened:": [tailCommand, explainCommand, inboxCommand, listenCommand, harCommand],
  "Reset, save and restore an account:": [
    resetCommand,
    snapshotCommand,
    restoreCommand,
    bundleCommand,
    openCommand,
  ],
  "Test your code:": [
    initCommand,
    examCommand,
    coverageCommand,
    scenarioCommand,
    verifyCommand,
    webhooksCommand,
    driftCommand,
    recordCommand,
    mcpCommand,
  ],
  "Reference:": [valuesCommand, assumptionsCommand, exportCommand, completionCommand],
};

export const commands = (): Command[] => [
  ...Object.entries(groups).flatMap(([heading, makers]) => makers.map((make) => make().helpGroup(heading))),
  completeCommand(),
];

/** Loads commands. Each is loaded alone, so that it pays for no other. */
import type { Command } from "commander";
import { type CommandName, commandNames } from "./command-list.js";

const loaders: Readonly<Record<CommandName, () => Promise<Command>>> = {
  start: async () => (await import("./start.js")).startCommand(),
  exec: async () => (await import("./exec/command.js")).execCommand(),
  health: async () => (await import("./health.js")).healthCommand(),
  ca: async () => (await import("./ca.js")).caCommand(),
  trigger: async () => (await import("./call/rows.js")).commandOfRow("trigger"),
  advance: async () => (await import("./call/rows.js")).commandOfRow("advance"),
  held: async () => (await import("./call/rows.js")).heldCommand(),
  call: async () => (await import("./call/command.js")).callCommand(),
  tail: async () => (await import("./activity/tail.js")).tailCommand(),
  explain: async () => (await import("./activity/explain.js")).explainCommand(),
  inbox: async () => (await import("./call/rows.js")).commandOfRow("inbox"),
  listen: async () => (await import("./webhooks/listen.js")).listenCommand(),
  har: async () => (await import("./save.js")).harCommand(),
  reset: async () => (await import("./call/rows.js")).commandOfRow("reset"),
  snapshot: async () => (await import("./save.js")).snapshotCommand(),
  restore: async () => (await import("./call/rows.js")).commandOfRow("restore"),
  bundle: async () => (await import("./save.js")).bundleCommand(),
  open: async () => (await import("./bundle/open.js")).openCommand(),
  init: async () => (await import("./init/command.js")).initCommand(),
  exam: async () => (await import("./exam/command.js")).examCommand(),
  coverage: async () => (await import("./coverage/command.js")).coverageCommand(),
  scenario: async () => (await import("./scenario/command.js")).scenarioCommand(),
  verify: async () => (await import("./verify/command.js")).verifyCommand(),
  webhooks: async () => (await import("./webhooks/command.js")).webhooksCommand(),
  drift: async () => (await import("./drift/command.js")).driftCommand(),
  mcp: async () => (await import("./mcp/command.js")).mcpCommand(),
  values: async () => (await import("./test-values.js")).valuesCommand(),
  assumptions: async () => (await import("./assumptions/command.js")).assumptionsCommand(),
  export: async () => (await import("./export.js")).exportCommand(),
  completion: async () => (await import("./completion/command.js")).completionCommand(),
  complete: async () => (await import("./completion/offer.js")).completeCommand(),
};

export const loadCommand = (name: CommandName): Promise<Command> => loaders[name]();

/** Loads all commands, for completion and for what is written of them all. */
export const loadCommands = (): Promise<Command[]> => Promise.all(commandNames.map(loadCommand));

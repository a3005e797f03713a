/** `standin open`: shows a bundle in a sandbox of its own. */
import type { Command } from "commander";
import type { Bundle } from "../../client/account/types.js";
import { startServer, version } from "../../sandbox.js";
import { liveKey, testKey } from "../../server/settings.js";
import { accountId } from "../../world/account/account-id.js";
import { topCommand } from "../command-list.js";
import { CommandClient } from "../connection.js";
import { CommandError, UsageError } from "../errors.js";
import { type JsonFlag, print } from "../output/print.js";
import { describeStartError, portOption } from "../sandbox-options.js";
import { onStopSignals } from "../signals.js";
import { readBundle } from "./archive.js";

interface Flags extends JsonFlag {
  port?: number;
}

/** The largest snapshot that any sandbox accepts. */
const maxSnapshotMB = 500;

const notes = `The sandbox is in memory, with the assumptions of the bundle. Its clock is paused at the time of the bundle. Webhooks are never
sent from it: those that fall due when you move its clock or call it are listed as failed, with that reason. It runs until
Ctrl+C.`;

export const openCommand = (): Command =>
  topCommand("open", ["standin open rejected-payout.zip"], notes)
    .argument("<file>", "file that standin bundle wrote")
    .addOption(portOption())
    .option("--json", "print one line of JSON when ready")
    .action(open);

async function open(file: string, flags: Flags): Promise<void> {
  const bundle = await readBundle(file, version);
  const [host, port] = ["127.0.0.1", flags.port ?? 0];
  const key = bundle.mode === "live" ? liveKey : testKey;
  const sandbox = await startServer({
    host,
    port,
    adminToken: null,
    assumptions: bundle.assumptions,
    maxSnapshotMB,
    shownAccount: accountId(key),
  }).catch((error: unknown) => {
    throw new UsageError(describeStartError(error, host, port));
  });
  const stopped = new Promise<void>((resolve) => onStopSignals(() => resolve()));
  try {
    const api = new CommandClient({ baseUrl: sandbox.url, key });
    await restore(api, bundle).catch((error: Error) => {
      throw new CommandError(`${file} cannot be opened: ${error.message}`);
    });
    const { url } = sandbox;
    print(
      flags.json
        ? `${JSON.stringify({ ready: true, url, key, now: bundle.now })}\n`
        : describe(bundle, url, key),
    );
    await stopped;
  } finally {
    await sandbox.close();
  }
}

async function restore(api: CommandClient, { snapshot, history }: Bundle): Promise<void> {
  await api.call("restoreSnapshot", { body: snapshot });
  await api.call("restoreHistory", { body: history });
}

const describe = ({ now, standin, platform }: Bundle, url: string, key: string): string =>
  `The account at ${now}, as standin ${standin.version} had it (Node ${platform.node}, ${platform.os} ${platform.arch}).

  Dashboard  ${url}/
  Key        ${key}

The clock is paused, and webhooks are never sent from here. Ctrl+C stops the sandbox.
`;

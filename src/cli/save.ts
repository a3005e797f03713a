/** `standin snapshot`, `har`, `bundle` and `open`: write the state or the traffic of an account to a file, and show a bundle in a sandbox. */
import type { Command } from "commander";
import type { Bundle } from "../client/account/types.js";
import { largestSnapshotMB } from "../contract/options.js";
import { decodeText, readFileBytes } from "../contract/read-file.js";
import { startServer, version } from "../sandbox.js";
import { liveKey, testKey } from "../server/settings.js";
import { accountId } from "../world/account/account-id.js";
import { majorOf } from "../world/snapshot/snapshot.js";
import { topCommand } from "./command-list.js";
import { CommandClient, type ConnectionFlags, connect, controlOptions } from "./connection.js";
import { CommandError, UsageError } from "./errors.js";
import { type FlagsOf, flagTable, withFlags } from "./flags.js";
import { formatCount, outputFile, print, writeOutputFile } from "./output/print.js";
import { withProgress } from "./output/progress.js";
import { describeStartError, portFlag } from "./sandbox-options.js";
import { untilStopped } from "./signals.js";

export const snapshotCommand = (): Command =>
  withFlags(
    topCommand("snapshot", [
      "standin snapshot paid.json",
      "standin snapshot --key svc_test_one | standin restore - --key svc_test_two",
    ]).argument("[file]", "output file, overwritten if it exists (default: stdout)"),
    ...controlOptions(),
  ).action(snapshot);

async function snapshot(given: string | undefined, flags: ConnectionFlags): Promise<void> {
  const file = outputFile(given);
  const request = connect(flags).call("getSnapshot", { query: { fold: true } });
  const { text, value } = await withProgress("the account's state", request);
  if (file !== undefined) await writeOutputFile("the snapshot", file, text);
  // No line break at the end, so that file and stdout have the same bytes.
  if (file === undefined || flags.json) print(text);
  else print(`The state at ${value.clock.now} is saved in ${file}. To restore it: standin restore ${file}\n`);
}

const harNotes = `The last 1,000 requests with their replies, oldest first, as HAR 1.2: browsers, proxies and load testers read it.
Keys, codes, identity and card numbers and the webhook secret are replaced.`;

export const harCommand = (): Command =>
  withFlags(
    topCommand(
      "har",
      ["standin har requests.har", "standin har requests.har --key svc_test_demo"],
      harNotes,
    ).argument("<file>", "output file, overwritten if it exists; - is stdout"),
    ...controlOptions("print what was written as one JSON document"),
  ).action(har);

async function har(file: string, flags: ConnectionFlags): Promise<void> {
  const { value } = await connect(flags).export("har");
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (outputFile(file) === undefined) return print(text);
  await writeOutputFile("the archive", file, text);
  const requests = value.log.entries.length;
  if (flags.json) print(`${JSON.stringify({ file, requests })}\n`);
  else print(`Wrote ${formatCount(requests, "request")} to ${file}.\n`);
}

const bundleOptions = flagTable(null, [["--account <id>", "id of an account, in place of its key"]]);

const bundleNotes = `The file holds the state, the activities, requests and deliveries, the assumptions in force, the rules and the versions.
Keys, codes, identity and card numbers, expected answers and the webhook secret are replaced; names, phone numbers and texts
remain. To look at it: standin open FILE`;

export const bundleCommand = (): Command =>
  withFlags(
    topCommand(
      "bundle",
      ["standin bundle rejected-payout.zip", "standin bundle report.zip --account acct_dpd6oqznyhe5fdgk"],
      bundleNotes,
    ).argument("<file>", "output file, overwritten if it exists; - is stdout"),
    bundleOptions,
    ...controlOptions("print what was written as one JSON document"),
  ).action(bundle);

type BundleFlags = ConnectionFlags & FlagsOf<typeof bundleOptions>;

async function bundle(file: string, flags: BundleFlags): Promise<void> {
  const api = connect(flags);
  const headers = flags.account === undefined ? {} : { headers: { "X-Sandbox-Account": flags.account } };
  const { value } = await withProgress("the bundle", api.export("bundle", headers));
  const bytes = await packBundle(value);
  if (outputFile(file) === undefined) return print(bytes);
  await writeOutputFile("the bundle", file, bytes);
  const { activity = {} } = value.history.state as { activity?: object };
  const written = {
    file,
    now: value.now,
    activities: Object.keys(activity).length,
    deliveries: value.deliveries.length,
  };
  if (flags.json) return print(`${JSON.stringify(written)}\n`);
  const counts = [
    formatCount(written.activities, "activity", "activities"),
    formatCount(written.deliveries, "delivery", "deliveries"),
  ];
  print(
    `Wrote the account at ${value.now}, ${counts.join(" and ")} to ${file}. To look at it: standin open ${file}\n`,
  );
}

/** Members of a bundle that are separate documents in the archive. */
const documents = ["snapshot", "history", "deliveries"] as const;
const headName = "bundle.json";
/** Maximum size of an unpacked bundle. */
const maxBytes = 512 * 1024 * 1024;

export async function packBundle(bundle: Bundle): Promise<Uint8Array> {
  const { strToU8, zipSync } = await import("fflate");
  const { snapshot, history, deliveries, ...head } = bundle;
  const toBytes = (value: unknown, space = 0) => strToU8(`${JSON.stringify(value, null, space)}\n`);
  return zipSync({
    [headName]: toBytes(head, 2),
    "snapshot.json": toBytes(snapshot),
    "history.json": toBytes(history),
    "deliveries.json": toBytes(deliveries, 2),
  });
}

/** Reads a bundle that this version can open. Rejects with an error that says what is wrong with the file. */
export async function readBundle(file: string, version: string): Promise<Bundle> {
  const bytes = await readFileBytes(file, `the bundle ${file}`);
  const { unzipSync } = await import("fflate");
  const names = [headName, ...documents.map((name) => `${name}.json`)];
  let unpacked = 0;
  const isWanted = ({ name, originalSize }: { name: string; originalSize: number }) => {
    if (!names.includes(name)) return false;
    unpacked += originalSize;
    if (unpacked > maxBytes) throw new CommandError(`${file} unpacks to more than ${maxBytes} bytes`);
    return true;
  };
  const read = (parts: Record<string, Uint8Array>, name: string): unknown => {
    const part = parts[name];
    if (!part) throw new Error(`it contains no ${name}`);
    return JSON.parse(decodeText(part));
  };
  try {
    const parts = unzipSync(bytes, { filter: isWanted });
    const head = read(parts, headName) as Pick<Bundle, "standin">;
    checkVersion(file, head.standin, version);
    const others = documents.map((name) => [name, read(parts, `${name}.json`)]);
    return { ...head, ...Object.fromEntries(others) } as Bundle;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `${file} is damaged, or no file that standin bundle wrote: ${(error as Error).message}`,
    );
  }
}

function checkVersion(file: string, standin: Partial<Bundle["standin"]> | undefined, version: string): void {
  const written = standin?.version;
  if (typeof written !== "string") throw new Error(`its ${headName} names no version`);
  const [major, here] = [majorOf(written), majorOf(version)];
  if (major === here) return;
  const by = major ?? JSON.stringify(written);
  throw new CommandError(
    `${file} was written by standin ${written}; this is ${version}, which opens bundles of ${here}.x; open it with standin ${by}.x`,
  );
}

const notes = `The sandbox is in memory, with the assumptions of the bundle. Its clock is paused at the time of the bundle. Webhooks are never
sent from it: those that fall due when you move its clock or call it are listed as failed, with that reason. It runs until
Ctrl+C.`;

const openOptions = flagTable(null, [portFlag(), ["--json", "print one line of JSON when ready"]]);

export const openCommand = (): Command =>
  withFlags(
    topCommand("open", ["standin open rejected-payout.zip"], notes).argument(
      "<file>",
      "file that standin bundle wrote",
    ),
    openOptions,
  ).action(open);

async function open(file: string, flags: FlagsOf<typeof openOptions>): Promise<void> {
  const bundle = await readBundle(file, version);
  const [host, port] = ["127.0.0.1", flags.port ?? 0];
  const key = bundle.mode === "live" ? liveKey : testKey;
  const sandbox = await startServer({
    host,
    port,
    adminToken: null,
    assumptions: bundle.assumptions,
    maxSnapshotMB: largestSnapshotMB,
    shownAccount: accountId(key),
  }).catch((error: unknown) => {
    throw new UsageError(describeStartError(error, host, port));
  });
  const stopped = untilStopped();
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

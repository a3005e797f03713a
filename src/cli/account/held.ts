/** `standin held`: lists, releases and drops what rules hold. */
import { type Command, InvalidArgumentError } from "commander";
import type { HeldChanges, HeldEntry } from "../../client/account/types.js";
import { type ConnectionFlags, connect, printReply, withConnection } from "../connection.js";
import { commandGroup, documentedCommand } from "../documented-command.js";
import { formatTable } from "../output/table.js";

interface ReleaseFlags extends ConnectionFlags {
  status?: number;
  header?: Record<string, string | null>;
  body?: string;
}

const examples = [
  "standin held list",
  `standin held release req_… --status 504 --body '{"error":{"code":"provider_timeout"}}'`,
  "standin held drop dlv_…",
];

const listCommand = (): Command =>
  withConnection(
    documentedCommand("list", "List the requests, replies and webhooks that rules hold.", examples),
  ).action(async (flags: ConnectionFlags) => {
    printReply(flags, await connect(flags).call("listHeld"), ({ items }) => formatItems(items));
  });

const releaseCommand = (): Command =>
  withConnection(
    documentedCommand("release", "Release a held request, reply or webhook.", examples)
      .argument("<id>", "id of the list")
      .option("--status <status>", "status of a reply in place of its own", parseStatus)
      .option(
        "--header <header>",
        "header to set, such as X-Id: 7, or with nothing after the colon to leave out; repeatable",
        collectHeaders,
      )
      .option("--body <text>", "body in place of its own: JSON, or another text for a reply or a webhook"),
  ).action(async (id: string, { status, header, body, ...flags }: ReleaseFlags) => {
    const changes: HeldChanges = {
      ...(status === undefined ? {} : { status }),
      ...(header === undefined ? {} : { headers: header }),
      ...(body === undefined ? {} : { body: parseBody(body) }),
    };
    const released = await connect(flags).call("releaseHeld", { params: { id }, body: changes });
    printReply(flags, released, ({ kind }) => `The ${kind} ${id} is released.`);
  });

const dropCommand = (): Command =>
  withConnection(
    documentedCommand("drop", "Drop a held request, reply or webhook.", examples).argument(
      "<id>",
      "id of the list",
    ),
  ).action(async (id: string, flags: ConnectionFlags) => {
    const dropped = await connect(flags).call("dropHeld", { params: { id } });
    printReply(flags, dropped, ({ kind }) => `The ${kind} ${id} is dropped.`);
  });

export const heldCommand = (): Command =>
  commandGroup("held", examples, [listCommand(), releaseCommand(), dropCommand()]);

function parseStatus(text: string): number {
  if (/^[2-5]\d\d$/.test(text)) return Number(text);
  throw new InvalidArgumentError("A status is a number from 200 to 599.");
}

function collectHeaders(text: string, previous: Record<string, string | null> = {}) {
  const [, name = "", value = ""] = /^([^:\s]+)\s*:\s*(.*)$/.exec(text) ?? [];
  if (name === "")
    throw new InvalidArgumentError("A header is a name, a colon and a value, such as X-Id: 7.");
  return { ...previous, [name]: value === "" ? null : value };
}

/** Returns JSON as its value, and any other text as it is. */
function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function formatItems(items: readonly HeldEntry[]): string {
  if (items.length === 0) return "Nothing is held.";
  const rows = items.map(({ id, kind, operation, event, target, status }) => [
    id,
    kind,
    operation ?? event ?? "",
    target,
    status === null ? "" : String(status),
  ]);
  return formatTable(["id", "held", "about", "target", "status"], rows);
}

/** `standin call`: calls any operation of the service or the control API, by its id. */
import { once } from "node:events";
import { text as readAll } from "node:stream/consumers";
import type { Command } from "commander";
import { errorIn } from "../../client/client.js";
import { isObject, parseJson } from "../../contract/json.js";
import { isServiceOperation, methodOf, pathOf } from "../../contract/operation.js";
import { topCommand } from "../command-list.js";
import { type ConnectionFlags, connect, controlOptions } from "../connection.js";
import { CommandError, UsageError } from "../errors.js";
import { type FlagsOf, flagTable, withFlags } from "../flags.js";
import { formatTable, print, printResult } from "../output/print.js";
import {
  callableOperation,
  describeOperation,
  openFile,
  operations,
  parseFields,
  refuseTooLarge,
  toRequest,
} from "./operations.js";

const options = flagTable(null, [
  ["--body <json>", "body as a JSON object, to which fields are added; - reads stdin"],
  ["--outcome <outcome>", "outcome that a call of the service gets"],
]);

type Flags = ConnectionFlags & FlagsOf<typeof options>;

const notes = `A field is written as name=value, with dots for the fields of an object and @ before a file: amount=5000, data.id=po_1,
file=@photo.jpg. A value is read by the schema of its field. "standin call" alone lists the operations, and
"standin call OPERATION --help" describes one.`;

export const callCommand = (): Command =>
  withFlags(
    topCommand(
      "call",
      [
        "standin call verifyBvn bvn=22123456789",
        "standin call createRule on=verifyBvn outcome=provider_unavailable times=1",
        "standin call listDeliveries status=failed",
        `standin call triggerEvent --body '{"event":"payout.paid"}'`,
        "standin call createPayout --help",
      ],
      notes,
    )
      .usage("[operation] [name=value...] [options]")
      .argument("[operation-id]", "id of an operation of the service or of the control API")
      .argument("[fields...]", "fields of its path, query and body"),
    options,
    ...controlOptions("print a JSON reply as it was received"),
  )
    .addHelpText("before", ({ command: { args } }) => describeFor(args))
    .action(call);

/** Describes the operation that a command line names before --help. */
const describeFor = ([id]: readonly string[]): string =>
  id === undefined || id.startsWith("-") ? "" : `${describeOperation(callableOperation(id))}\n`;

async function call(id: string | undefined, words: readonly string[], flags: Flags): Promise<void> {
  if (id === undefined) return listOperations(flags);
  const operation = callableOperation(id);
  const { body: fields, ...input } = parseFields(operation, words);
  const given = flags.body === undefined ? undefined : await readBody(flags.body);
  const body = given || fields ? { ...given, ...fields } : undefined;
  const client = connect(flags);
  const { path, init } = await toRequest(
    operation,
    { ...input, body, outcome: flags.outcome },
    { openFile, issueSessionToken: async () => (await client.call("createSessionToken")).value.token },
  );
  const admin = isServiceOperation(operation) ? {} : client.adminHeaders;
  const response = await client.reach(path, { ...init, headers: { ...init.headers, ...admin } });
  if (response.ok && !isJson(response)) return pass(response);
  const text = await response.text();
  const value = parseJson(text);
  print(`${flags.json || value === undefined ? text : JSON.stringify(value, null, 2)}\n`);
  if (response.ok) return;
  const { code, message } = errorIn(value) ?? { code: "", message: "the call was refused" };
  throw new CommandError(`${message} (${[operation.id, response.status, code].join(" ").trimEnd()})`);
}

function listOperations(flags: Flags): void {
  const items = operations.map((operation) => ({
    id: operation.id,
    method: methodOf(operation),
    path: pathOf(operation),
    summary: operation.summary,
  }));
  const rows = items.map(({ id, method, path, summary }) => [id, `${method} ${path}`, summary]);
  printResult(flags, { items }, () => formatTable(["operation", "request", "summary"], rows));
}

async function readBody(flag: string): Promise<Record<string, unknown>> {
  const text = flag === "-" ? await readAll(process.stdin) : flag;
  const body = parseJson(text);
  refuseTooLarge(body);
  if (isObject(body)) return body;
  throw new UsageError(`--body must be a JSON object such as '{"amount":5000}'; got ${text.slice(0, 100)}`);
}

const isJson = ({ headers }: Response): boolean =>
  /^application\/json\b/.test(headers.get("content-type") ?? "");

/** Writes a reply that is no JSON to stdout as it arrives, such as a picture or a stream of events. */
async function pass({ headers, body }: Response): Promise<void> {
  const type = headers.get("content-type") ?? "";
  if (process.stdout.isTTY && !/json|text/.test(type))
    throw new CommandError(`the reply is ${type}; write it to a file with > FILE`);
  for await (const chunk of body ?? []) if (!process.stdout.write(chunk)) await once(process.stdout, "drain");
}

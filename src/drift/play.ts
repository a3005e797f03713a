/** Plays scenarios on one side: the service, or the sandbox that it is compared with. */

import { isObject, putAt } from "../contract/json.js";
import { type AnyOperation, pathOf } from "../contract/operation.js";
import { matchPath } from "../contract/route.js";
import { toInput } from "../scenarios/actions.js";
import { readFixture } from "../scenarios/bundled-scenarios.js";
import { resolveReferences, UnresolvedReference } from "../scenarios/references.js";
import type { PlannedCallInput, PlannedScenario, PlannedStep, Scope } from "./plan-scenario.js";
import { NotTestable, type ServiceReply, type ServiceRequest } from "./service-client.js";
import { type PlayedSide, readerOfCodes, verdictOn } from "./side.js";

export interface PlayedCall {
  readonly operation: AnyOperation;
  readonly request: ServiceRequest;
  readonly reply: ServiceReply;
}

/** The recorded exchange, a reason why it could not be checked, or null if the step was skipped. */
export type Played = PlayedCall | string | null;

export const isPlayedCall = (played: Played | undefined): played is PlayedCall =>
  typeof played === "object" && played !== null;

/** Plays the steps. Each reference in a request gets the prefix, so that no two rounds share one. */
export async function play(
  { steps, readFixture: read = readFixture }: PlannedScenario,
  side: PlayedSide,
  prefix: string,
): Promise<Played[]> {
  const scope: Scope = { given: {}, key: "" };
  const sent = { id: "", to: "" };
  const played: Played[] = [];
  for (const step of steps) {
    try {
      played.push(await playStep(step, { side, prefix, scope, sent, read }));
    } catch (error) {
      const isSkipped = error instanceof UnresolvedReference || error instanceof NotTestable;
      played.push(isSkipped ? null : verdictOn(error).reason);
    }
  }
  return played;
}

interface Playing {
  readonly side: PlayedSide;
  readonly prefix: string;
  readonly scope: Scope;
  /** The last verification that was sent. */
  readonly sent: { id: string; to: string };
  read(fixture: string): Promise<Uint8Array>;
}

async function playStep(step: PlannedStep, playing: Playing): Promise<Played> {
  const { side, scope, sent } = playing;
  if (step.kind === "wait") {
    await side.pass(step.ms);
    return null;
  }
  if (step.kind === "code") {
    const to = String(resolveReferences(step.to ?? sent.to, scope));
    const code = await readerOfCodes(side)({ id: sent.id, to });
    if (step.as !== null) store(scope, step.as, { to, codes: [code], text: code, links: [] });
    return null;
  }
  const request = await requestOf(step, step.input(scope), playing);
  const reply = await side.service.call(step.operation.id, request);
  if (step.as !== null && reply.body !== undefined) store(scope, step.as, reply.body);
  remember(sent, request, reply);
  return { operation: step.operation, request, reply };
}

function remember(
  sent: { id: string; to: string },
  { body = {} }: ServiceRequest,
  { body: reply }: ServiceReply,
): void {
  const to = body.phone ?? body.to;
  if (typeof to !== "string" || !isObject(reply) || typeof reply.id !== "string") return;
  sent.id = reply.id;
  sent.to = typeof reply.phone === "string" ? reply.phone : to;
}

const store = (scope: Scope, as: string, value: unknown): void => putAt(scope, as.split("."), value);

async function requestOf(
  { operation }: PlannedStep & { kind: "call" },
  { path, ...input }: PlannedCallInput,
  { scope, prefix, read }: Playing,
): Promise<ServiceRequest> {
  const filled = resolveReferences(input, scope) as PlannedCallInput;
  const { params: ofFields, body } = toInput(operation, filled.fields ?? {});
  const [target = "", search = ""] =
    path === undefined ? [] : String(resolveReferences(path, scope)).split("?");
  const params = path === undefined ? ofFields : (matchPath(pathOf(operation), target) ?? {});
  const query = { ...Object.fromEntries(new URLSearchParams(search)), ...filled.query };
  const fields = body as Record<string, unknown>;
  if (typeof fields.reference === "string") fields.reference = `${prefix}${fields.reference}`;
  const hasBody = filled.fields !== undefined && operation.body !== undefined;
  return {
    params: params as Record<string, string>,
    query,
    ...(hasBody || filled.files ? { body: fields } : {}),
    ...(filled.files ? { files: await filesOf(filled.files, read) } : {}),
  };
}

async function filesOf(
  files: NonNullable<PlannedCallInput["files"]>,
  read: Playing["read"],
): Promise<Record<string, File>> {
  const made = Object.entries(files).map(async ([field, { name, text, base64, fixture }]) => {
    const bytes =
      text !== undefined
        ? Buffer.from(text)
        : base64 !== undefined
          ? Buffer.from(base64, "base64")
          : await read(fixture ?? name);
    return [field, new File([new Uint8Array(bytes)], name)] as const;
  });
  return Object.fromEntries(await Promise.all(made));
}

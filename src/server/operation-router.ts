/**
 * Mounts operations as routes. The route of an operation authenticates the caller, reads the body, performs the
 * operation and replies, which is also the order of refusals.
 */

import { type IRouter, type RequestHandler, Router } from "express";
import { describeRemovedRoute } from "../contract/control-routes.js";
import { Refusal } from "../contract/errors.js";
import {
  type AnyOperation,
  isServiceOperation,
  methodOf,
  pathOf,
  successStatus,
} from "../contract/operation.js";
import { Answer } from "../contract/reply-forms.js";
import { fillPath } from "../contract/route.js";
import { bytesPerMB, type Upload } from "../contract/upload.js";
import { realNow, toIso } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import { StartedCall } from "../world/activity/activity.js";
import { StartedRequest } from "../world/activity/request-journal.js";
import type { World } from "../world/world.js";
import type { Authenticator } from "./authenticate.js";
import { type BodyReader, readJson, snapshotReader } from "./json-body.js";
import type { Performer } from "./perform.js";
import type { Replies } from "./replies.js";
import { writeReply } from "./reply.js";
import type { RequestContext } from "./request-context.js";
import type { ServerSettings } from "./settings.js";

export interface RoutingOptions {
  world: World;
  authenticator: Authenticator;
  performer: Performer;
  replies: Replies;
}

const routerOptions = { caseSensitive: true, strict: true };

/** Creates a router of these operations. */
export const operationRouter = (operations: readonly AnyOperation[], options: RoutingOptions): Router =>
  mountOperations(Router(routerOptions), operations, options);

/**
 * Adds operations to an application or a router. The operations of a section, such as those below `/v1/phone`, have a
 * router of their own, so that a request is compared with few routes.
 */
export function mountOperations<R extends IRouter>(
  router: R,
  operations: readonly AnyOperation[],
  options: RoutingOptions,
): R {
  const sections = new Map<string, [path: string, AnyOperation[]][]>();
  for (const [path, group] of byPath(operations)) {
    const [, section, pathInSection] = /^(\/[^/{]+\/[^/{]+)(\/.+)$/.exec(path) ?? [];
    if (section === undefined || pathInSection === undefined) addRoute(router, path, group, options);
    else sections.set(section, [...(sections.get(section) ?? []), [pathInSection, group]]);
  }
  for (const [section, routes] of sections) router.use(section, sectionRouter(routes, options));
  return router;
}

/** Creates the router of a section on its first request: compiling the patterns of all paths would delay the start. */
function sectionRouter(
  routes: readonly [path: string, AnyOperation[]][],
  options: RoutingOptions,
): RequestHandler {
  let router: Router | null = null;
  return (request, response, next) => {
    if (!router) {
      router = Router(routerOptions);
      for (const [path, operations] of routes) addRoute(router, path, operations, options);
    }
    router(request, response, next);
  };
}

/** Groups operations by their path. Paths without parameters come first, because they take precedence. */
function byPath(operations: readonly AnyOperation[]): [path: string, AnyOperation[]][] {
  const groups = new Map<string, AnyOperation[]>();
  for (const operation of operations) {
    const path = pathOf(operation);
    groups.set(path, [...(groups.get(path) ?? []), operation]);
  }
  const hasParameters = ([path]: [string, unknown]) => Number(path.includes("{"));
  return [...groups].sort((a, b) => hasParameters(a) - hasParameters(b));
}

function addRoute(
  router: IRouter,
  path: string,
  operations: readonly AnyOperation[],
  options: RoutingOptions,
): void {
  const route = router.route(fillPath(path, (param) => `:${param}`));
  const refuseOthers = refuseMethod(operations.map(methodOf).join(", "));
  // Express would answer HEAD with the handlers of GET.
  route.head(refuseOthers);
  for (const operation of operations) {
    const method = methodOf(operation).toLowerCase() as "get" | "post" | "put" | "patch" | "delete";
    route[method](handlerOf(operation, options));
  }
  route.all(refuseOthers);
}

const refuseMethod =
  (allow: string): RequestHandler =>
  ({ context }) => {
    const removed = describeRemovedRoute(context.method, context.path);
    const message = `${removed ?? `${context.path} accepts ${allow}, not ${context.method}`}.`;
    throw new Refusal("method_not_allowed", { message, headers: { Allow: allow } });
  };

/** Returns the handler of an operation's requests. Its steps are in the order of refusals. */
function handlerOf(operation: AnyOperation, options: RoutingOptions): RequestHandler {
  const { world, authenticator, performer, replies } = options;
  if (operation.auth === "none" || operation.auth === "operator")
    return answerWithoutAccount(operation, options);
  const readBody = bodyReader(operation, performer.options.settings);
  const status = successStatus(operation);
  return async (request, response) => {
    const { context } = request;
    context.operation = operation;
    // Each wait for nothing would cost a turn of the queue of microtasks.
    const found = authenticator.accountOf(context, operation.auth);
    const account = found instanceof Promise ? await found : found;
    enter(context, operation, account, options);
    if (readBody) await readBody(request, response);
    context.hasCalled = true;
    const input = {
      params: request.params as Record<string, string>,
      query: context.target.includes("?") ? request.query : {},
      body: readBody ? request.body : noFields,
      files: context.files,
      headers: request.headers,
    };
    if (isServiceOperation(operation)) account.endPause();
    const catchingUp = world.scheduler.runDue(account);
    if (catchingUp) await catchingUp;
    const result = await performer.perform(account, operation, input, context);
    replies.finish(context, operation, result instanceof Answer ? result : new Answer(status, result));
  };
}

const noFields = Object.freeze({});

/** Returns the function that reads the body of an operation's requests, or null if the operation takes none. */
function bodyReader(
  { upload, takesSnapshot, body }: AnyOperation,
  { assumptions, maxSnapshotMB }: ServerSettings,
): BodyReader | null {
  if (upload) return formReader(upload, bytesPerMB(assumptions));
  if (takesSnapshot) return snapshotReader(maxSnapshotMB);
  return body ? readJson : null;
}

/** Returns the function that reads a form. `megabyte` is the number of bytes in a MB of its limits. */
const formReader =
  (upload: Upload, megabyte: number): BodyReader =>
  async (request, response) => {
    const { receiveForm } = await import("./upload.js");
    const { fields, files } = await receiveForm(request, response, upload, megabyte);
    request.body = fields;
    request.context.files = files;
  };

/** Answers an operation that concerns no account. */
const answerWithoutAccount =
  (operation: AnyOperation, { authenticator, performer, replies }: RoutingOptions): RequestHandler =>
  async ({ context }) => {
    if (operation.auth === "operator") authenticator.guard.check(context);
    context.operation = operation;
    context.requestId = replies.nextRequestId();
    const { sandbox } = performer.options;
    const body = await operation.handle({ sandbox, baseUrl: context.baseUrl } as never);
    writeReply(context, successStatus(operation), body);
  };

function enter(
  context: RequestContext,
  operation: AnyOperation,
  account: Account,
  { world, replies }: RoutingOptions,
): void {
  context.account = account;
  account.isAddressed = true;
  account.lastUsed = realNow();
  account.baseUrl = context.baseUrl;
  const kind = isServiceOperation(operation) ? "request" : "control";
  const isRead = kind === "control" && (methodOf(operation) === "GET" || operation.isUnrecorded === true);
  // Reads by a tester must not change the ids of the client's requests.
  const isOutside = isRead || operation.rewindsIds === true;
  context.requestId = isOutside ? replies.nextRequestId() : account.nextRequestId();
  if (kind === "control") {
    context.replyHeaders.push("X-Sandbox-Account", account.id);
    // The request journal, activities and coverage begin then.
    if (account.takenOverAt !== null)
      context.replyHeaders.push("X-Sandbox-Log-Since", toIso(account.takenOverAt));
  }
  if (isRead) return;
  const { requestId, method, shownTarget } = context;
  const { id } = operation;
  if (kind === "request") {
    const headers = account.requests.keepHeaders(context.request.rawHeaders);
    context.entry = new StartedRequest(requestId, id, method, shownTarget, headers);
  }
  const call = context.entry ?? new StartedCall(method, shownTarget);
  context.activity = account.activities.ofRequest(kind, requestId, operation, call);
  if (context.entry) context.entry.at = context.activity.at;
  if (!world.traceHeadersOf) return;
  const [parent, state] = [context.header("traceparent"), context.header("tracestate")];
  if (parent !== undefined) context.activity.trace = { parent, state: state ?? null };
}

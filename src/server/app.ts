/** The Express application: every operation of the service and of the control API is one of its routes. */

import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import { controlPrefix } from "../contract/control-routes.js";
import { Refusal } from "../contract/errors.js";
import type { AnyOperation } from "../contract/operation.js";
import { OwnedElsewhere } from "../world/store/store.js";
import type { World } from "../world/world.js";
import { Authenticator } from "./authenticate.js";
import { unknownPath } from "./errors.js";
import type { ReplicaForwarder } from "./forward.js";
import type { Guard } from "./guard.js";
import { mountOperations, operationRouter } from "./operation-router.js";
import type { Performer } from "./perform.js";
import type { Quotas } from "./quotas.js";
import type { Replies } from "./replies.js";
import { requestContext } from "./request-context.js";
import type { SessionTokens } from "./session-tokens.js";
import type { ServerSettings } from "./settings.js";

export interface AppOptions {
  settings: ServerSettings;
  world: World;
  guard: Guard;
  tokens: SessionTokens;
  quotas: Quotas | null;
  performer: Performer;
  replies: Replies;
  /** Forwards requests to other replicas. Null if no other sandbox shares the store. */
  forwarder: ReplicaForwarder | null;
  serviceOperations: readonly AnyOperation[];
  /** Loads the operations of the control API. Called for requests that are not for the service. */
  loadControlOperations(): Promise<readonly AnyOperation[]>;
  /** Loads the handler of `/mcp`, the tools for agents. Null if they are not served. */
  loadTools: (() => Promise<RequestHandler>) | null;
  /** Loads the pages. Called once, for the first request that is not for an operation. */
  loadPages(): Promise<PageRoutes>;
}

export interface PageRoutes {
  router: RequestHandler;
  /** Shows the page on which a browser signs in. */
  showSignIn: RequestHandler;
}

/** Creates the application. It can be mounted under a path of another Express application. */
export function createApp(options: AppOptions): Express {
  const {
    settings,
    world,
    guard,
    tokens,
    quotas,
    replies,
    forwarder,
    serviceOperations,
    loadControlOperations,
  } = options;
  const routing = { ...options, authenticator: new Authenticator(world, settings, tokens, guard, quotas) };
  const app = express().disable("x-powered-by").disable("etag");
  app.enable("case sensitive routing").enable("strict routing");
  app.use(requestContext(settings, forwarder));
  if (forwarder) app.use(refuseForgedForwarding(forwarder));
  app.use(cors(guard), refuseOddTargets);
  mountOperations(app, serviceOperations, routing);
  app.use("/v1", refuseUnknownPath(serviceOperations));
  app.use(lazily(async () => operationRouter(await loadControlOperations(), routing)));
  app.use(controlPrefix, async ({ context }) => {
    throw unknownPath(context.path, await loadControlOperations(), context.method);
  });
  if (options.loadTools) app.all("/mcp", admitTools(guard, replies), lazily(options.loadTools));
  let loading: Promise<PageRoutes> | null = null;
  const loadPages = () => {
    loading ??= options.loadPages();
    return loading;
  };
  if (forwarder) app.use(openPageAccount(world));
  app.use(lazily(async () => (await loadPages()).router));
  app.use(async ({ context }) => {
    throw unknownPath(context.path, [...serviceOperations, ...(await loadControlOperations())]);
  });
  const refuse: ErrorRequestHandler = (error, request, _response, _next) =>
    replies.refuse(request.context, error);
  if (forwarder) app.use(forwardToOwner(forwarder, app));
  return app.use(offerSignIn(loadPages), refuse);
}

/** Checks requests of the tools for agents, which reach no account, and gives them an id. */
const admitTools =
  (guard: Guard, replies: Replies): RequestHandler =>
  ({ context }, _response, next) => {
    guard.check(context);
    context.requestId = replies.nextRequestId();
    next();
  };

/** Forwards requests for accounts that other replicas own. */
const forwardToOwner =
  (forwarder: ReplicaForwarder, app: Express): ErrorRequestHandler =>
  (error, request, response, next) => {
    if (!(error instanceof OwnedElsewhere)) return next(error);
    forwarder.forward(request.context, error, () => app(request, response, next)).catch(next);
  };

const pagePath = /^\/(?:confirm|pay|receiver)\/(acct_[a-z2-7]{16})(?:\/|$)/;

/** Opens the account of a page before its form is read, because a request cannot be forwarded afterwards. */
const openPageAccount =
  (world: World): RequestHandler =>
  async ({ context }, _response, next) => {
    const [, id] = pagePath.exec(context.path) ?? [];
    if (id !== undefined) await world.existing(id);
    next();
  };

/** Shows browsers the sign-in page where other clients get the refusal as JSON. */
const offerSignIn =
  (loadPages: () => Promise<PageRoutes>): ErrorRequestHandler =>
  async (error, request, response, next) => {
    const isTokenMissing = error instanceof Refusal && error.code === "admin_token_required";
    if (!isTokenMissing || request.method !== "GET" || request.accepts(["json", "html"]) !== "html")
      return next(error);
    const { showSignIn } = await loadPages();
    showSignIn(request, response, next);
  };

const refuseUnknownPath =
  (operations: readonly AnyOperation[]): RequestHandler =>
  ({ context }) => {
    throw unknownPath(context.path, operations);
  };

/** Refuses requests whose forwarding header is not from another replica. */
const refuseForgedForwarding =
  (forwarder: ReplicaForwarder): RequestHandler =>
  (request, _response, next) => {
    forwarder.check(request);
    next();
  };

/** Refuses request targets that are not a path: `*`, or the absolute form that clients send to a proxy. */
const refuseOddTargets: RequestHandler = ({ context }, _response, next) => {
  if (context.target.startsWith("/")) next();
  else throw unknownPath(context.path);
};

function lazily(load: () => Promise<RequestHandler>): RequestHandler {
  let loaded: Promise<RequestHandler> | null = null;
  return async (request, response, next) => {
    loaded ??= load();
    const handle = await loaded;
    handle(request, response, next);
  };
}

const exposedHeaders =
  "X-Request-Id, X-Sandbox-Outcome, X-Sandbox-Fault, X-Sandbox-Rules, X-Sandbox-Account, X-Sandbox-Cut-Confidence, X-Sandbox-Left-Out, Retry-After";
const allowedMethods = "GET, POST, PUT, PATCH, DELETE";
const preflightMaxAgeSeconds = "600";

const notAllowed = (origin: string): Refusal =>
  new Refusal("forbidden_origin", {
    param: "Origin",
    message: `Pages of ${origin} may not call the sandbox; start with --allow-origin ${origin} to allow it.`,
  });

/** Adds the CORS headers to replies for allowed origins, and answers their preflight requests. */
const cors =
  (guard: Guard): RequestHandler =>
  ({ context, method, headers }, response, next) => {
    const { origin } = headers;
    const isPreflight = method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
    if (origin !== undefined && isPreflight && !guard.allows(origin)) throw notAllowed(origin);
    if (origin === undefined || !guard.allows(origin)) return next();
    context.replyHeaders.push(
      ...["Access-Control-Allow-Origin", origin, "Vary", "Origin"],
      ...["Access-Control-Expose-Headers", exposedHeaders],
    );
    if (!isPreflight) return next();
    const wanted = context.header("access-control-request-headers");
    response.writeHead(204, [
      ...context.replyHeaders,
      ...["Access-Control-Allow-Methods", allowedMethods],
      ...(wanted ? ["Access-Control-Allow-Headers", wanted] : []),
      ...["Access-Control-Max-Age", preflightMaxAgeSeconds],
    ]);
    response.end();
  };

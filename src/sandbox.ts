/** The composition root: puts world, service, control API, webhooks, pages and server together. */
import type { Server } from "node:http";
import type { Express, RequestHandler } from "express";
import packageJson from "../package.json" with { type: "json" };
import { isLiveKey } from "./contract/api-keys.js";
import { controlRoutes } from "./contract/control-routes.js";
import type { AnyOperation, ReplyOf } from "./contract/operation.js";
import type { SandboxOptions } from "./contract/options.js";
import type { ControlledSandbox } from "./control/operation.js";
import { StageOperations } from "./control/stage-operations.js";
import { requestRedactor } from "./control/stored-request.js";
import { closeConversions } from "./file-tools/conversions.js";
import { loadPages } from "./pages/load-pages.js";
import { isReachable } from "./receiver-check/receiver-route.js";
import { planDelivery } from "./rules/plan-reply.js";
import { type RulesOfAccount, standingRules } from "./rules/rules.js";
import { timelineJob } from "./scenarios/loaded-scenario.js";
import { createApp } from "./server/app.js";
import { Guard, isLoopback } from "./server/guard.js";
import { Listeners } from "./server/listen.js";
import { Performer } from "./server/perform.js";
import { quotasOf } from "./server/quotas.js";
import { Replies } from "./server/replies.js";
import { SessionTokens } from "./server/session-tokens.js";
import { liveKey, type ServerSettings, testKey, toSettings } from "./server/settings.js";
import { readCertificates } from "./server/tls/identity.js";
import { type Assumptions, resolveAssumptions } from "./service/assumptions.js";
import { serviceOperations } from "./service/index.js";
import { machines } from "./service/machines.js";
import { priceOf } from "./service/prices.js";
import { randomHex } from "./time/random.js";
import type { Account } from "./world/account/account.js";
import { accountId, newKey } from "./world/account/account-id.js";
import { Figures } from "./world/activity/coverage.js";
import { startHousekeeping, startWaking } from "./world/housekeeping.js";
import { openStore } from "./world/store/open-store.js";
import { OwnedElsewhere, type Store } from "./world/store/store.js";
import { RelayHub } from "./world/webhooks/relay.js";
import { attemptTimeout, deliverJob, Sender } from "./world/webhooks/send.js";
import { World } from "./world/world.js";

export const { version } = packageJson;

/** A composed sandbox: its application serves requests, on a port of its own once it listens. */
export interface SandboxServer {
  readonly app: Express;
  /** Serves the application. It does not listen before `listen()`. */
  readonly server: Server;
  readonly settings: ServerSettings;
  readonly testKey: string;
  readonly liveKey: string;
  /** Base URL for clients, without a trailing slash; null before `listen()`. */
  readonly url: string | null;
  /** URL at which this machine reaches it, once it listens. */
  readonly localUrl: string | null;
  /** Base URL of HTTPS; null before `listen()` and without the option `tls`. */
  readonly tlsUrl: string | null;
  /** Certificate of the local authority in PEM; null before `listen()`, and without one. */
  readonly ca: string | null;
  /** Listens on the port and host of the options, and resolves with the base URL. */
  listen(): Promise<string>;
  /** Calls `observe` with the parts that show what happens. */
  attach(observe: (sandbox: ControlledSandbox, replies: Replies) => void): void;
  /** Finishes requests in flight, stores what is pending, and releases port and folder. */
  close(): Promise<void>;
}

export type RunningSandbox = SandboxServer & {
  readonly url: string;
  /** URL at which this machine reaches the sandbox, whatever its public URL is. */
  readonly localUrl: string;
};

const trustHint = `to accept it, start with --webhook-ca FILE or register the endpoint with ${controlRoutes.addWebhook} {"verify_tls": false}`;

type Warn = (message: string) => void;

type Settings = ServerSettings & { readonly assumptions: Assumptions };

/** How this process reaches its own control API. */
export interface OwnConnection {
  readonly baseUrl: string;
  readonly adminToken: string | null;
}

/** Options that only commands have. */
interface ServerOptions extends SandboxOptions {
  /** Loads the handler of `/mcp`. Default: there is none. */
  loadTools?(connection: OwnConnection): Promise<RequestHandler>;
  /** Id of an account that shows a bundle, of which nothing is sent. Default: none. */
  shownAccount?: string;
  /** Folder of the local authority. Default: one in the data folder, or none. */
  authorityFolder?: string;
  /** Returns the rules of an account that is new or was reset, by its number in the order of opening. Default: none. */
  rulesOf?: RulesOfAccount;
  /** Sees an account before a reset or a restore forgets what has happened on it. Default: none. */
  beforeRefill?(account: Account): void;
  /** Key of the account that `load`, `code` and `webhookSecret` are for. Default: the test key. */
  defaultKey?: string;
}

/** Returns why the sandbox cannot serve at the moment, or null if it can. */
function unready({ cluster }: Store, isStopping: boolean): string | null {
  if (isStopping) return "The sandbox is stopping.";
  if (cluster?.hasLease === false) return "The store cannot be reached: the lease of this replica has ended.";
  return null;
}

const operations: readonly AnyOperation[] = serviceOperations;

/** State that the parts of a sandbox share while it starts and stops. */
interface Phase {
  isStopping: boolean;
  /** The URL at which this process reaches itself, once it listens. */
  ownUrl: string | null;
  /** The URL for clients, once it listens. */
  url: string | null;
}

/** Returns the function that makes OpenAPI documents. Each is kept: making one takes as long as a thousand requests. */
function documentMaker({ assumptions }: Settings): ControlledSandbox["contract"] {
  const documents: { service?: object; control?: object } = {};
  return async (of, baseUrl) => {
    const { controlDocument, serviceDocument } = await import("./documents/contracts.js");
    documents[of] ??= of === "service" ? serviceDocument(baseUrl, assumptions) : controlDocument(baseUrl);
    return { ...documents[of], servers: [{ url: baseUrl }] };
  };
}

/** Returns the function that plays a scenario on an account of its own, over HTTP. */
const scenarioRunner =
  ({ adminToken }: Settings, phase: Phase): ControlledSandbox["runScenario"] =>
  async (scenario, baseUrl, report) => {
    const { runOnNewAccount } = await import("./client/scenario-run/run-scenario.js");
    const key = newKey(scenario.account);
    const connection = { baseUrl: phase.ownUrl ?? baseUrl, adminToken, key, isInProcess: true as const };
    await runOnNewAccount(connection, accountId(key), scenario, report);
  };

interface WorldParts {
  store: Store;
  settings: Settings;
  sender: Sender;
  figures: Figures;
  phase: Phase;
  warn: Warn;
  /** Returns the stage of scenarios, once the operations that they may call are loaded. */
  loadStage(): Promise<ControlledSandbox["stage"]>;
}

function createWorld(
  { store, settings, sender, figures, phase, warn, loadStage }: WorldParts,
  { defaultKey = testKey, rulesOf, beforeRefill }: ServerOptions,
): World {
  const { assumptions, publicUrl } = settings;
  const world: World = new World({
    store,
    seed: settings.seed,
    fixedSettings: { account: accountId(defaultKey), settings: settings.fixed },
    ...(rulesOf && { fillFresh: standingRules(rulesOf) }),
    ...(beforeRefill && { beforeRefill }),
    planDelivery,
    redactRequest: requestRedactor(operations, assumptions),
    assumptions,
    baseUrl: () => publicUrl ?? phase.ownUrl ?? "http://localhost",
    ownUrl: () => phase.ownUrl,
    machines,
    jobs: {
      deliver: deliverJob(
        sender,
        figures,
        (account, attempt) => world.traceHeadersOf?.(account, attempt) ?? {},
      ),
      timeline: timelineJob(loadStage),
    },
    onCommit: () => figures.committed(),
    warn,
  });
  return world;
}

interface ControlledParts extends Pick<WorldParts, "store" | "settings" | "figures" | "phase" | "warn"> {
  world: World;
  relays: RelayHub;
  tokens: SessionTokens;
  stageOperations: StageOperations;
  /** Performs an operation that the sandbox itself calls. */
  perform: Performer["performOwn"];
}

/** Creates what the operations of the control API have of the sandbox. */
function createControlled(parts: ControlledParts): ControlledSandbox {
  const { store, settings, figures, phase, warn, world, relays, tokens, stageOperations, perform } = parts;
  return {
    version,
    world,
    assumptions: settings.assumptions,
    operations,
    labels: new Map([testKey, liveKey].map((key) => [accountId(key), key])),
    scenarioFolder: settings.scenarios,
    readValidations: async () => (await import("./drift/lock.js")).readValidations(settings.driftLock, warn),
    relays,
    figures,
    unready: () => unready(store, phase.isStopping),
    contract: documentMaker(settings),
    issueSessionToken: (account) => tokens.issue(account),
    async openKey(key) {
      try {
        return await world.open(accountId(key), isLiveKey(key));
      } catch (error) {
        if (!(error instanceof OwnedElsewhere)) throw error;
        throw new OwnedElsewhere(error.account, error.replica, error.url, key);
      }
    },
    call: (account, operation, call) =>
      perform(account, operation, call) as Promise<ReplyOf<typeof operation>>,
    runScenario: scenarioRunner(settings, phase),
    stage: {
      get operations() {
        return stageOperations.list;
      },
      async perform(account, operation, call) {
        const result = await perform(account, operation, { actor: "scenario", ...call });
        account.coverage.scenarioCalls.add(operation.id);
        return result;
      },
    },
  };
}

/** Starts what runs beside requests: due jobs, eviction, compaction, and the deletion of unused accounts. */
function startBackground(world: World, store: Store, { accountTtl: ttl, keys }: Settings, warn: Warn) {
  const registered = new Set(keys.map(accountId));
  const expiry = ttl === null ? null : { ttl, keeps: (id: string) => registered.has(id) };
  const waking = startWaking(world, store, warn);
  const housekeeping = store.evicts || expiry ? startHousekeeping(world, store, expiry, warn) : null;
  return { stop: () => Promise.all([waking.stop(), housekeeping?.stop()]) };
}

/** Fixes settings of the account of the default key and loads its scenario, unless another replica owns it and has. */
async function prepareDefaultAccount(
  sandbox: ControlledSandbox,
  { fixed }: Settings,
  stageOperations: StageOperations,
  { load, defaultKey = testKey }: ServerOptions,
): Promise<void> {
  if (!load && Object.keys(fixed).length === 0) return;
  const account = await sandbox.openKey(defaultKey).catch((error: unknown) => {
    if (error instanceof OwnedElsewhere) return null;
    throw error;
  });
  if (!account) return;
  account.fixSettings(fixed);
  if (!load) return;
  await stageOperations.load();
  const { loadAtStart } = await import("./control/scenarios.js");
  await loadAtStart(sandbox, account, load);
}

export async function createSandboxServer(options: ServerOptions = {}): Promise<SandboxServer> {
  const { port = 0, host = "127.0.0.1", shownAccount = null, loadTools } = options;
  const warn = options.warn ?? ((message: string) => process.stderr.write(`${message}\n`));
  const settings = toSettings(options, resolveAssumptions);
  const guard = new Guard(settings, "127.0.0.1");
  const relays = new RelayHub();
  const sender = new Sender(attemptTimeout, relays, shownAccount, {
    receiverCa: options.webhookCa ? await readCertificates("webhookCa", options.webhookCa) : null,
    trustHint,
  });
  const store = await openStore(options, version, warn);
  if (options.seed === undefined && !isLoopback(host)) settings.seed = store.seed?.() ?? randomHex(32);
  const figures = new Figures();
  const phase: Phase = { isStopping: false, ownUrl: null, url: null };
  const stageOperations = new StageOperations(operations);
  const loadStage = async () => {
    await stageOperations.load();
    return sandbox.stage;
  };
  const shared = { store, settings, figures, phase, warn };
  const world = createWorld({ ...shared, sender, loadStage }, options);
  const tokens = new SessionTokens(world, options.seed ?? store.cluster?.secret);
  const perform: Performer["performOwn"] = (...call) => performer.performOwn(...call);
  const sandbox = createControlled({ ...shared, world, relays, tokens, stageOperations, perform });
  const quotas = quotasOf(world, settings);
  const performer = new Performer({ settings, sandbox, quotas, price: priceOf });
  const replies = new Replies(settings, warn, store.runId, figures);
  const { cluster = null } = store;
  const forwarder =
    cluster && new (await import("./server/forward.js")).ReplicaForwarder({ cluster, isReachable });
  const { load: loadControlOperations } = stageOperations;
  const app = createApp({
    settings,
    world,
    guard,
    tokens,
    quotas,
    performer,
    replies,
    forwarder,
    serviceOperations: operations,
    loadControlOperations,
    loadTools: loadTools
      ? () => loadTools({ baseUrl: phase.ownUrl ?? "", adminToken: settings.adminToken })
      : null,
    loadPages: () => loadPages({ sandbox, settings, guard, performer, warn, loadControlOperations }),
  });
  const listeners = new Listeners(app, replies, guard);
  const background = startBackground(world, store, settings, warn);
  return {
    app,
    server: listeners.server,
    settings,
    testKey,
    liveKey,
    get url() {
      return phase.url;
    },
    get localUrl() {
      return phase.ownUrl;
    },
    get tlsUrl() {
      return listeners.tlsUrl;
    },
    get ca() {
      return listeners.ca;
    },
    async listen() {
      guard.boundHost = host;
      const ownUrl = await listeners.listen(port, host, settings.tls);
      phase.ownUrl = ownUrl;
      await cluster?.announce(settings.replicaUrl ?? ownUrl);
      await prepareDefaultAccount(sandbox, settings, stageOperations, options);
      phase.url = settings.publicUrl ?? ownUrl;
      return phase.url;
    },
    attach: (observe) => observe(sandbox, replies),
    async close() {
      phase.isStopping = true;
      const stopped = background.stop();
      world.endWaits();
      forwarder?.endWaits();
      performer.endDelays();
      await listeners.stop();
      await stopped;
      await world.close();
      forwarder?.close();
      await sender.close();
      closeConversions(settings);
    },
  };
}

/** Creates a sandbox and listens. The store is closed again when the port cannot be used. */
export async function startServer(options: ServerOptions = {}): Promise<RunningSandbox> {
  const created = await createSandboxServer(options);
  try {
    const listening = await created.listen();
    const { tlsUrl, ca, localUrl } = created;
    return { ...created, url: listening, localUrl: localUrl ?? listening, tlsUrl, ca };
  } catch (error) {
    await created.close();
    throw error;
  }
}

/** The composition root: puts world, service, control API, webhooks, pages and server together. */
import type { IncomingMessage, ServerResponse } from "node:http";
import packageJson from "../package.json" with { type: "json" };
import { statusOf } from "./contract/error-body.js";
import { Refusal } from "./contract/errors.js";
import type { AnyOperation } from "./contract/operation.js";
import { controlOperations } from "./control/index.js";
import type { ControlledSandbox } from "./control/operation.js";
import { firstCall } from "./first-call.js";
import { startHousekeeping } from "./housekeeping.js";
import { planDelivery } from "./rules/adversity.js";
import { defaultOutcome, outcomesOf } from "./rules/outcomes.js";
import { timelineJob } from "./scenarios/timeline.js";
import { isKey, isLiveKey } from "./server/auth.js";
import { callControl, callOperation } from "./server/call.js";
import { Exchange } from "./server/exchange.js";
import { toRefusal } from "./server/failures.js";
import { Guard } from "./server/guard.js";
import { createHttpServer, listen, stopListening } from "./server/http.js";
import { Pipeline, unknownPath } from "./server/pipeline.js";
import { SessionTokens } from "./server/session-tokens.js";
import { liveKey, type Settings, type SettingsOptions, testKey, toSettings } from "./server/settings.js";
import { findCheckout, payCharge } from "./service/business/checkout.js";
import { serviceOperations } from "./service/index.js";
import { machines } from "./service/machines.js";
import { priceOf } from "./service/prices.js";
import { closeConversions } from "./tools/running.js";
import { deliverJob } from "./webhooks/deliver.js";
import { Sender } from "./webhooks/send.js";
import type { Durability } from "./world/store/line-file.js";
import { memoryStore } from "./world/store/memory-store.js";
import type { Store } from "./world/store/store.js";
import { timer } from "./world/time/time.js";
import { accountId, World } from "./world/world.js";

export const { version } = packageJson;

export interface SandboxOptions extends SettingsOptions {
  /** 0: a free one. */
  port?: number;
  host?: string;
  /** The URL under which clients reach the sandbox, when it is not the bound address. */
  publicUrl?: string | null;
  /** Folder of the file store; null: everything lives in memory. */
  data?: string | null;
  durability?: Durability;
  /** Told what went wrong where no request is there to tell. */
  warn?(message: string): void;
}

export interface RunningSandbox {
  /** Base URL for clients, without a slash at its end. */
  readonly url: string;
  readonly testKey: string;
  readonly liveKey: string;
  readonly settings: Settings;
  /** Finishes requests in flight, keeps what is pending, frees port and folder. */
  close(): Promise<void>;
}

/** Real ms between the start and the look at what was due meanwhile. */
const settleIn = 50;

async function openStore(
  { data = null, durability = "process" }: SandboxOptions,
  warn: (message: string) => void,
): Promise<Store> {
  if (data === null) return memoryStore;
  const { FileStore } = await import("./world/store/file-store.js");
  return new FileStore({ folder: data, durability, warn });
}

export async function startServer(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const { port = 0, host = "127.0.0.1", publicUrl = null } = options;
  const warn = options.warn ?? ((message: string) => process.stderr.write(`${message}\n`));
  const settings = toSettings(options);
  const extendedWebhookHeaders = settings.assumptions["webhooks.headers"] === "extended";
  const guard = new Guard(settings, host, publicUrl);
  const sender = new Sender();
  const store = await openStore(options, warn);
  let url = "";
  const world = new World({
    store,
    seed: settings.seed,
    planDelivery,
    barePayloads: settings.assumptions["webhooks.payload"] === "bare",
    baseUrl: () => url,
    machines,
    jobs: {
      deliver: deliverJob(sender, extendedWebhookHeaders),
      timeline: timelineJob(() => sandbox.stage),
    },
    warn,
  });
  const tokens = new SessionTokens(world, settings.seed);
  const operations = serviceOperations;
  const operationOf = (id: string) => operations.find((candidate) => candidate.id === id) as AnyOperation;
  const call: ControlledSandbox["call"] = (account, id, input) =>
    callOperation(account, operationOf(id), input, settings, priceOf);
  const sandbox: ControlledSandbox = {
    version,
    world,
    assumptions: settings.assumptions,
    operations,
    extendedWebhookHeaders,
    contract: async (of) => {
      const { controlDocument, serviceDocument } = await import("./contracts.js");
      return of === "service" ? serviceDocument(url, settings.assumptions) : controlDocument(url);
    },
    issueSessionToken: (account) => tokens.issue(account),
    isKey,
    openKey: async (key) => world.open(accountId(key), isLiveKey(key)),
    call,
    stage: {
      operations: [...operations, ...controlOperations],
      perform: (account, operation, input) =>
        operation.auth === "control"
          ? callControl(account, operation, input, settings, sandbox)
          : call(account, operation.id, { ...input, actor: "scenario" }),
    },
  };
  const pipeline = new Pipeline({
    settings,
    world,
    guard,
    tokens,
    service: operations,
    control: controlOperations,
    sandbox,
    price: priceOf,
    warn,
  });

  const pages = async () => {
    const { createPages } = await import("./pages/index.js");
    const exchange = (request: IncomingMessage, response: ServerResponse) => new Exchange(request, response);
    return createPages({
      startPage: () => ({ version, baseUrl: url, testKey, liveKey, curl: firstCall(url, testKey) }),
      guard: (request, response) => guard.check(exchange(request, response)),
      refuse: (request, response, error) => pipeline.answers.refuse(exchange(request, response), error),
      unknownPath,
      docs: { operations, outcomesOf, defaultOutcome, testKey, assumptions: settings.assumptions },
      findAccount: async (id) => {
        const account = await world.existing(id);
        if (account) world.scheduler.runDue(account);
        return account;
      },
      call,
      readForm: async (id, request, response) => {
        const { readForm } = await import("./server/upload.js");
        return readForm(request, response, operationOf(id).upload ?? {});
      },
      findCheckout,
      pay: (account, reference, input) => void payCharge(account, reference, input, "page"),
      explain(error) {
        const refusal = toRefusal(error);
        if (!refusal) warn(error instanceof Error ? String(error.stack) : String(error));
        const { code, message, options } = refusal ?? new Refusal("internal_error");
        return {
          status: statusOf(code, settings.assumptions),
          code,
          message,
          headers: options.headers ?? {},
        };
      },
    });
  };
  const server = createHttpServer(pipeline, pages, (error) => warn(String(error)));
  try {
    const boundPort = await listen(server, port, host);
    url = (publicUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${boundPort}`).replace(/\/+$/, "");
  } catch (error) {
    await store.close();
    throw error;
  }
  // Not before the first requests: what was due while nobody ran can wait for this moment more.
  const waking = timer(settleIn, () => void world.wake().catch((error: unknown) => warn(String(error))));
  const housekeeping = store.evicts ? startHousekeeping(world, store, warn) : null;

  return {
    url,
    testKey,
    liveKey,
    settings,
    async close() {
      waking.cancel();
      housekeeping?.stop();
      world.endWaits();
      pipeline.endWaits();
      await stopListening(server);
      await world.close();
      await sender.close();
      closeConversions(settings);
    },
  };
}

/** Connects the pages with the sandbox that they show. */
import type { Request, Response } from "express";
import { firstCall } from "../client/first-call.js";
import { statusOf } from "../contract/error-body.js";
import { Refusal } from "../contract/errors.js";
import type { AnyOperation } from "../contract/operation.js";
import { bytesPerMB } from "../contract/upload.js";
import type { ControlledSandbox } from "../control/operation.js";
import type { PageRoutes } from "../server/app.js";
import { toRefusal } from "../server/errors.js";
import type { Guard } from "../server/guard.js";
import type { Performer } from "../server/perform.js";
import { liveKey, type ServerSettings, testKey } from "../server/settings.js";
import { findCheckout, payCharge } from "../service/business/charges.js";
import { sign } from "../world/webhooks/delivery.js";

/** Parts of a sandbox that its pages use. */
export interface PagesParts {
  sandbox: ControlledSandbox;
  settings: ServerSettings;
  guard: Guard;
  performer: Performer;
  warn(message: string): void;
  loadControlOperations(): Promise<readonly AnyOperation[]>;
}

/** Creates the pages of a sandbox. Their code is loaded with the first request for one. */
export async function loadPages(parts: PagesParts): Promise<PageRoutes> {
  const { sandbox, settings, guard, performer, warn, loadControlOperations } = parts;
  const { version, world, operations } = sandbox;
  const operationOf = (id: string) => operations.find((operation) => operation.id === id) as AnyOperation;
  const { createPages } = await import("./index.js");
  return createPages({
    startPage: (baseUrl) => ({ version, baseUrl, testKey, liveKey, curl: firstCall(baseUrl, testKey) }),
    guard: ({ context }) => guard.check(context),
    guardOrigin: ({ context }) => guard.checkOrigin(context),
    signIn: {
      hasToken: () => guard.access === "token",
      cookieFor: ({ context }, token) => guard.cookieFor(context, token),
    },
    docs: { operations, loadControlOperations, testKey },
    findAccount: async (id, baseUrl) => {
      const account = await world.existing(id);
      if (!account) return null;
      account.baseUrl = baseUrl;
      account.endPause();
      await world.scheduler.runDue(account);
      // A link that is not found may have been made by another replica that has taken the account over.
      await account.safe();
      return account;
    },
    call: (account, id, call) => performer.performOwn(account, operationOf(id), call),
    readForm: async (id: string, request: Request, response: Response) => {
      const { receiveForm } = await import("../server/upload.js");
      return receiveForm(request, response, operationOf(id).upload ?? {}, bytesPerMB(settings.assumptions));
    },
    async isGenuineDelivery(id, body, signature) {
      const account = await world.existing(id);
      return account?.outbox.secrets().some((secret) => signature === sign(body, secret)) ?? false;
    },
    findCheckout,
    pay(account, reference, input) {
      const activity = account.activities.ofOwnCall("page", { id: "payCheckout", summary: "Pay a checkout" });
      if (activity.call) activity.call.body = JSON.stringify({ reference, ...input });
      account.activities.within(activity, () => payCharge(account, reference, input, "page"));
    },
    explain(error) {
      const refusal = toRefusal(error);
      if (!(refusal instanceof Refusal)) warn(error instanceof Error ? String(error.stack) : String(error));
      const { code, message, options } = refusal instanceof Refusal ? refusal : new Refusal("internal_error");
      return { status: statusOf(code, settings.assumptions), code, message, headers: options.headers ?? {} };
    },
  });
}

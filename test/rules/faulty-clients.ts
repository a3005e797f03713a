/** Clients whose connection a fault breaks, and the errors that they report. */
import { Agent, request } from "node:http";
import { onTestFinished } from "vitest";
import type { RequestEntry, SandboxAccount } from "../../src/index.js";
import { call, post } from "../support/sandbox.js";
import { requestBytes } from "../support/wire.js";

export const on = "startPhoneVerification";
export const path = "/v1/phone/verify/start";
export const body = { phone: "+2348031234567" };
export const start = (account: SandboxAccount) => post(account, path, body);
export const startBytes = (account: SandboxAccount) => requestBytes(account, "POST", path, body);

export const balance = async (account: SandboxAccount): Promise<number> =>
  (await call(account, "GET", "/v1/balance")).body.balance;
export const lastStart = async (account: SandboxAccount): Promise<RequestEntry> =>
  (await account.requests.list({ operation: on }))[0] as RequestEntry;

/** Returns the code of fetch's error. */
export const failure = (fetched: Promise<unknown>): Promise<string> =>
  fetched.then(
    () => "none",
    (error: Error & { cause?: { code?: string } }) => error.cause?.code ?? error.message,
  );

/** Returns the code of the error of node:http, or the body. */
export function byNodeHttp(account: SandboxAccount, agent = new Agent()): Promise<string> {
  onTestFinished(() => agent.destroy());
  return new Promise((resolve) => {
    const sent = request(account.baseUrl + path, {
      agent,
      method: "POST",
      headers: { "X-Service-Key": account.key, "Content-Type": "application/json" },
    });
    const failed = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message);
    sent.on("error", failed);
    sent.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      response.on("error", failed);
      response.on("end", () => resolve(text));
    });
    sent.end(JSON.stringify(body));
  });
}

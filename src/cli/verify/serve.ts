/** `standin verify --serve`: serves accounts, provider states and messages to another Pact verifier. */
import { Gateway, statePath } from "../../pact/verify/gateway.js";
import type { VerifyOptions } from "../../pact/verify/verify-pacts.js";
import { printError } from "../errors.js";
import { type JsonFlag, printResult } from "../output/print.js";

interface Flags extends JsonFlag {
  /** Default 0: a free port. */
  port?: number;
}

export async function serveGateway(options: VerifyOptions, { port = 0, ...flags }: Flags): Promise<void> {
  const gateway = new Gateway({ ...options, port, rootMessages: true, onFailure: printError });
  await gateway.open();
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => resolve());
  });
  printResult(flags, { url: gateway.url, state_change_url: gateway.url + statePath }, formatGateway);
  await stopped;
  await gateway.close();
}

const formatGateway = ({ url, state_change_url }: { url: string; state_change_url: string }): string =>
  [
    `Serving the provider at ${url} and its states at ${state_change_url}. Example:`,
    `  pact verifier --hostname 127.0.0.1 --port ${new URL(url).port} --state-change-url ${state_change_url} --state-change-teardown --file pact.json`,
    "Press Ctrl+C to stop.",
  ].join("\n");

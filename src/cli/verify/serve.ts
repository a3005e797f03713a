/** `standin verify --serve`: the same accounts, states and messages for a verifier of another make. */
import type { Gateway } from "../../pact/verify/gateway.js";
import { write } from "../steering.js";

/** Says where the gateway is; resolves once a signal asks for its end. */
export async function serveUntilStopped({ url }: Gateway, statePath: string, asJson: boolean): Promise<void> {
  const stateUrl = `${url}${statePath}`;
  const port = new URL(url).port;
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => resolve());
  });
  if (asJson) write(`${JSON.stringify({ url, state_change_url: stateUrl })}\n`);
  else
    write(
      [
        `A verifier may ask ${url}; states are set up at ${stateUrl}. For example:`,
        `  pact verifier --hostname 127.0.0.1 --port ${port} --state-change-url ${stateUrl} --state-change-teardown --file pact.json`,
        "Ctrl+C stops.",
        "",
      ].join("\n"),
    );
  await stopped;
}

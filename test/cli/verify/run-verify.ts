/** Runs `standin verify` on pacts in a folder, and interactions for such pacts. */
import { answer, ask, http, like, pactFile } from "../../pact/verify/pacts.js";
import { freshFolder } from "../../support/folder.js";
import { runHere } from "../run-here.js";

export const balance = ask("GET", "/v1/balance");
export const met = http("the balance", balance, answer(200), "an empty wallet");
export const wrong = http(
  "a balance as text",
  balance,
  answer(200, { balance: "12" }, { "$.balance": like }),
);
export const misspelt = http("a payout", balance, answer(200), "a setled balance");

/** Runs in a folder that contains these pacts, in this process unless a function to run it is given. */
export function verify(
  args: readonly string[],
  files: Record<string, object> = {},
  cwd = freshFolder(),
  run: typeof runHere = runHere,
) {
  for (const [name, document] of Object.entries(files)) pactFile(document as never, cwd, name);
  return run(["verify", ...args], cwd);
}

/** The contract has 400 with exactly the codes that invalid requests get, and no 400 where no request is invalid. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type AnyOperation, methodOf } from "../../src/contract/operation.js";
import type { SandboxAccount } from "../../src/index.js";
import { png } from "../support/forms.js";
import { hostileTexts } from "../support/hostile.js";
import { shareOf } from "../support/repetitions.js";
import { rightFields, targetOf } from "../support/requests.js";
import { fetchFrom, type Reply, read, useSandbox } from "../support/sandbox.js";
import { aviOf } from "../support/videos.js";
import { ask, byId, credentials, named } from "./alternatives/asking.js";
import { ServedContract, useContract } from "./alternatives/served-contract.js";

const sandbox = useSandbox();
const served = useContract(sandbox);
const committed = new ServedContract(JSON.parse(readFileSync("contracts/openapi.json", "utf8")));

const withTurns = byId().map(([id, operation], turn) => [id, operation, turn] as const);

const wrongValues = [null, "", "x", 0, 100.005, {}];
const shortTexts = hostileTexts.filter((text) => text.length < 1_000);
const paramTexts = ["%zz", "%ff", "%00", "%20", "..%2f", "x".repeat(5_000)];

/** Sends the operation's request with this path parameter and body as written. */
async function send(
  account: SandboxAccount,
  operation: AnyOperation,
  { param, body = "" }: { param?: string; body?: string },
): Promise<Reply> {
  const type = operation.upload ? "multipart/form-data; boundary=x" : "application/json";
  const headers = { ...(await credentials(account, operation)), "Content-Type": type };
  const target = targetOf(operation, param);
  const method = methodOf(operation);
  return read(await fetchFrom(account, target, { method, headers, ...(method === "GET" ? {} : { body }) }));
}

/** Sends invalid and odd requests of every kind that can be made of the operation's input. */
async function* repliesTo(operation: AnyOperation, turn: number): AsyncGenerator<Reply> {
  const account = sandbox.account({ mode: operation.testModeOnly ? "test" : "live" });
  const fields = Object.keys(rightFields(operation));
  const queries = Object.keys(operation.query?.properties ?? { colour: {} });
  for (const body of ["{", "[]", "--x"]) yield send(account, operation, { body });
  for (const param of shareOf(paramTexts, 2, turn)) yield send(account, operation, { param });
  for (const [at, name] of queries.entries()) {
    for (const text of [...shareOf(shortTexts, 4, turn + at), "", "3", `a&${name}=b`])
      yield ask(account, operation, { search: `${name}=${text}` });
  }
  yield ask(account, operation, { only: true });
  for (const name of fields) {
    yield ask(account, operation, { fields: { [name]: undefined } });
    for (const value of wrongValues) yield ask(account, operation, { fields: { [name]: value } });
  }
  if (operation.upload) yield ask(account, operation, { files: { colour: png } });
  if (operation === named("scanVideo")) yield ask(account, operation, { files: { file: aviOf(301) } });
}

test.each(withTurns)("%s", async (_id, operation, turn) => {
  const seen = new Set<string>();
  for await (const { status, body } of repliesTo(operation, turn))
    if (status === 400) seen.add(body.error.code);
  for (const contract of [served(), committed]) {
    const declared = contract.statuses(operation).includes(400) ? contract.codes(operation, 400) : [];
    expect([...declared].sort()).toEqual([...seen].sort());
  }
});

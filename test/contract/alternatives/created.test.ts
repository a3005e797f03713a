import { describe, expect, test } from "vitest";
import { post, useSandbox } from "../../support/sandbox.js";
import { byId, operations } from "./asking.js";
import { creating } from "./creating.js";
import { useContract } from "./served-contract.js";
import { useAlternative } from "./use-alternative.js";

const operationsThatCreate = byId(({ reply }) => reply[201]);
const request = (id: string) => creating[id] as NonNullable<(typeof creating)[string]>;

test("every operation that answers 201 has a request here", () => {
  expect(operationsThatCreate.map(([id]) => id).sort()).toEqual(Object.keys(creating).sort());
});

describe("ok", () => {
  const sandbox = useAlternative("http.created", "ok");
  const contract = useContract(sandbox);

  test.each(operationsThatCreate)("%s answers 200, as its contract says", async (id, operation) => {
    const reply = await request(id)(sandbox.account());
    expect(reply.status).toBe(200);
    contract().expectDescribes(operation, reply);
    expect(contract().entry(operation).responses[200]["x-assumption"]).toBe("http.created");
  });

  test("no operation of the contract has a 201 response", () => {
    for (const operation of operations)
      expect(contract().statuses(operation), operation.id).not.toContain(201);
  });

  test("the control API still answers 201", async () => {
    const rule = { on: "getBalance", outcome: "internal_error" };
    expect((await post(sandbox.account(), "/_sandbox/rules", rule)).status).toBe(201);
  });
});

describe("created, the default", () => {
  const sandbox = useSandbox();
  const contract = useContract(sandbox);

  test.each(operationsThatCreate)("%s answers 201", async (id, operation) => {
    const reply = await request(id)(sandbox.account());
    expect(reply.status).toBe(201);
    contract().expectDescribes(operation, reply);
  });
});

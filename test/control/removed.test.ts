/** What the control API had in an earlier version is refused by name, with what to use in its place. */
import { expect, test } from "vitest";
import { call, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();

test.each([
  ["GET", "/_sandbox/cluster", 404, "getCluster", "the reply of GET /_sandbox/accounts has the replicas"],
  ["GET", "/_sandbox/relays/laptop", 404, "getRelay", "has the number of listeners"],
  ["DELETE", "/_sandbox/relays/laptop/listeners/one", 404, "leaveRelay", 'with "leave": true'],
  [
    "GET",
    "/_sandbox/bundle",
    404,
    "getBundle",
    "use exportAccount with kind=bundle, GET /_sandbox/export/bundle",
  ],
  ["GET", "/_sandbox/har", 404, "getHar", "use exportAccount with kind=har, GET /_sandbox/export/har"],
  [
    "GET",
    "/_sandbox/recording",
    404,
    "getRecording",
    "use exportAccount with kind=scenario, GET /_sandbox/export/scenario",
  ],
  [
    "GET",
    "/_sandbox/pact/export",
    404,
    "exportPact",
    "use exportAccount with kind=pact, GET /_sandbox/export/pact",
  ],
  ["GET", "/_sandbox/events/evt_1", 404, "getEvent", "use listEvents with its id, GET /_sandbox/events?id=…"],
  [
    "GET",
    "/_sandbox/requests/req_1",
    404,
    "getRequest",
    "use listRequests with its id, GET /_sandbox/requests?id=…",
  ],
  ["GET", "/_sandbox/pact/states", 405, "listProviderStates", 'use "standin verify --states"'],
])("%s %s", async (method, path, status, id, instead) => {
  const { status: answered, body } = await call(sandbox.account(), method, path);
  expect(answered).toBe(status);
  expect(body.error.message).toMatch(`${method} ${path}, ${id} was removed in version 0.3: `);
  expect(body.error.message).toContain(instead);
  const calling = sandbox.account().call(id as "getClock");
  await expect(calling).rejects.toThrow(`${id} was removed in version 0.3: `);
});

test("a step of a scenario that calls what was removed is refused with what to use", async () => {
  const scenario = { name: "Old", given: {}, steps: [{ control: "GET /cluster" }] };
  await expect(sandbox.account().scenario.load(scenario)).rejects.toThrow(
    "GET /_sandbox/cluster, getCluster was removed in version 0.3: ",
  );
});

test("an id that the control API never had is refused by the library", async () => {
  await expect(sandbox.account().call("getClok" as "getClock")).rejects.toThrow(
    "The control API has no operation getClok.",
  );
});

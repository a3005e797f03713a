/** GET /_sandbox/operations: every operation of the service and of the control API, as pages and agents read it. */
import * as Type from "typebox";
import { expect, test } from "vitest";
import { compileValidator } from "../../src/contract/validate.js";
import { controlOperations } from "../../src/control/index.js";
import { serviceOperations } from "../../src/service/index.js";
import { eventKinds } from "../../src/service/webhooks/events.js";
import { call, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();

test("lists every operation of the service and of the control API, in sections", async () => {
  const { items, sections } = await sandbox.account().call("listOperations");
  const idsOf = (api: string) => items.filter((one) => one.api === api).map(({ id }) => id);
  expect(idsOf("service").sort()).toEqual(serviceOperations.map(({ id }) => id).sort());
  expect(idsOf("control").sort()).toEqual(controlOperations.map(({ id }) => id).sort());
  const known = new Set(sections.map(({ api, name }) => `${api} ${name}`));
  expect(items.filter(({ api, section }) => !known.has(`${api} ${section}`))).toEqual([]);
});

test("an operation has its parameters, body, replies, examples and refusals, without references", async () => {
  const { items } = await sandbox.account().call("listOperations", { query: { id: "createPayout" } });
  expect(items).toMatchObject([
    {
      api: "service",
      method: "POST",
      path: "/v1/business/payouts",
      section: "Business payments",
      auth: "key",
      body: { type: "application/json", required: true, example: { amount: expect.any(Number) } },
      replies: [{ status: 201, type: "application/json", example: { id: expect.stringMatching(/^po_/) } }],
      outcomes: { paid: expect.any(String) },
    },
  ]);
  expect(items[0]?.refusals.map(({ code }) => code)).toContain("insufficient_available_balance");
  expect(JSON.stringify(items)).not.toContain("$ref");
});

test("the examples of bodies fit their schemas", async () => {
  const { items } = await sandbox.account().call("listOperations");
  for (const { id, body } of items) {
    if (body?.type !== "application/json") continue;
    const validate = await compileValidator(Type.Unsafe(body.schema));
    expect([id, validate(body.example), validate.errors]).toEqual([id, true, null]);
  }
});

test("the events that the service posts have their headers, body and example", async () => {
  const { events } = await sandbox.account().call("listOperations", { query: { api: "service" } });
  expect(events.map(({ event }) => event)).toEqual(eventKinds);
  for (const { event, headers, body, answers } of events) {
    expect(headers.map(({ name }) => name)).toContain("X-Service-Signature");
    expect(body.example).toMatchObject({ event });
    const validate = await compileValidator(Type.Unsafe(body.schema));
    expect([event, validate(body.example), validate.errors]).toEqual([event, true, null]);
    expect(answers.map(({ status }) => status)).toEqual(["2XX", "default"]);
  }
});

test("the lists of one API, and of an unknown one", async () => {
  const account = sandbox.account();
  const { items } = await account.call("listOperations", { query: { api: "service" } });
  expect(items).toHaveLength(serviceOperations.length);
  expect(await call(account, "GET", "/_sandbox/operations?api=other")).toMatchObject({ status: 400 });
});

/** contracts/scenario.schema.json, which editors use to complete and check scenario files. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { bundledScenarioNames, scenarioFolder } from "../../src/scenarios/bundled-scenarios.js";
import { parseScenario } from "../../src/scenarios/parse-scenario.js";
import { scenarioSchema } from "../../src/scenarios/scenario-schema.js";
import { eventKinds } from "../../src/service/webhooks/events.js";
import { operations, ref } from "./files.js";

const schema = scenarioSchema(operations);
const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: false, validateFormats: false });
const validate = ajv.compile(schema);
const names = await bundledScenarioNames();

test("is JSON Schema 2020-12, without annotations for the built-in checks", () => {
  expect(ajv.validateSchema(schema)).toBe(true);
  expect(schema).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema" });
  expect(JSON.stringify(schema)).not.toMatch(/"x-/);
});

test("is small enough for editors to load at each keystroke", () => {
  expect(JSON.stringify(schema).length).toBeLessThan(150_000);
});

test.each(names)("accepts %s", async (name) => {
  const file = readFileSync(`${scenarioFolder}${name}.yaml`, "utf8");
  expect(validate(parseYaml(file)), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true);
  await expect(parseScenario(file, name, operations)).resolves.toHaveProperty("name");
});

const payment = { do: "simulate_payment", with: { virtual_account_id: "va_1", amount: 900 } };
const story = (parts: object) => ({ name: "X", ...parts });

describe("refuses", () => {
  test.each<[string, unknown]>([
    ["nothing", null],
    ["a list", []],
    ["one without a name", {}],
    ["an unknown part", story({ steppes: [] })],
    ["a name that is a number", { name: 5 }],
    ["an unknown section", story({ given: { paymnts: [] } })],
    ["a section that is no list", story({ given: { payments: {} } })],
    ["an unknown field of a section", story({ given: { payments: [{ amout: 3 }] } })],
    ["a code that is a number", story({ given: { payout_account: { bank_code: 58 } } })],
    ["an outcome that there is not", story({ given: { payouts: [{ outcome: "lost" }] } })],
    ["moves that are a text", story({ given: { payments: [{ moves: "settle" }] } })],
    ["a word that is a number", story({ given: { payments: [{ settled: 1 }] } })],
    ["a rule on nothing", story({ rules: [{ on: "createPayot", outcome: "failed" }] })],
    ["an unknown key of a rule", story({ rules: [{ on: "createPayout", outcme: "failed" }] })],
    ["an action that there is not", story({ timeline: [{ after: "1s", do: "simulate_paymnt" }] })],
    ["an unknown key of the timeline", story({ timeline: [{ aftr: "1s", ...payment }] })],
    ["times of nought", story({ timeline: [{ cron: "* * * * *", times: 0, ...payment }] })],
    ["a step of no kind", story({ steps: [{}] })],
    ["a step of two kinds", story({ steps: [{ call: "GET /v1/balance", advance: "1h" }] })],
    ["a step that is a text", story({ steps: ["wait"] })],
    ["a call without a method", story({ steps: [{ call: "/v1/balance" }] })],
    ["an unknown key of a step", story({ steps: [{ call: "GET /v1/balance", expct: {} }] })],
    ["an event that there is not", story({ steps: [{ webhook: "payout.pad" }] })],
    ["a receiver of what there is not", story({ steps: [{ receive: { events: ["payout.pad"] } }] })],
    ["a channel that there is not", story({ steps: [{ inbox: { channel: "fax" } }] })],
  ])("%s", (_what, value) => {
    expect(validate(value)).toBe(false);
  });
});

test("offers every event, operation, action and route by its name", () => {
  const text = JSON.stringify(schema);
  const offered = ["simulate_payment", "createPayout", "GET /v1/balance", "PATCH /account", ...eventKinds];
  for (const name of offered) expect(text).toContain(`"${name}"`);
});

test("accepts references in place of any value", () => {
  const given = {
    payments: [{ amount: ref("given.virtual_accounts.0.id") }],
    channel_codes: [{ outcome: "sent" }],
  };
  expect(validate(story({ given, steps: [{ call: "GET /v1/audits/x?y=1" }] }))).toBe(true);
});

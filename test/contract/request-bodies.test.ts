/** The contract and the server accept the same request bodies. */
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { pathOf } from "../../src/contract/operation.js";
import { serviceDocument } from "../../src/documents/contracts.js";
import { useSandbox } from "../support/sandbox.js";
import { byId, credentials, named } from "./alternatives/asking.js";

// biome-ignore lint/suspicious/noExplicitAny: the assertions check the document
type Node = any;

const sandbox = useSandbox();
const document: Node = serviceDocument("http://127.0.0.1:4010");
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, "contract");

const escaped = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

function bodyOf(id: string): { schema: Node; fits(body: object): boolean } {
  const operation = named(id);
  const method = operation.route.split(" ")[0]?.toLowerCase() ?? "";
  const place = `requestBody/content/${escaped("application/json")}/schema`;
  const validate = ajv.getSchema(
    `contract#${encodeURI(`/paths/${escaped(pathOf(operation))}/${method}/${place}`)}`,
  );
  const { requestBody } = document.paths[pathOf(operation)][method];
  return {
    schema: requestBody.content["application/json"].schema,
    fits: (body) => validate?.(body) === true,
  };
}

const follow = (node: Node): Node =>
  node.$ref
    ? node.$ref
        .slice(2)
        .split("/")
        .reduce((inner: Node, key: string) => inner[key], document)
    : node;

/** Returns the value that the contract suggests for a field, or undefined if it suggests none. */
function suggestion(field: Node): unknown {
  const { examples, enum: names, const: only } = follow(field);
  return examples?.[0] ?? names?.[0] ?? only;
}

async function send(id: string, body: object) {
  const account = sandbox.account();
  const operation = named(id);
  const [method = "", path = ""] = operation.route.split(" ");
  const headers = { "Content-Type": "application/json", ...(await credentials(account, operation)) };
  const response = await account.fetch(path.replaceAll(/\{\w+\}/g, "video"), {
    method,
    headers,
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json().catch(() => null)) as Node };
}

const jsonOperations = byId(({ body, upload }) => body && !upload);

test.each(jsonOperations)(
  "%s has an example of each required field, which the server accepts",
  async (id) => {
    const { schema: written, fits } = bodyOf(id);
    const schema = follow(written);
    const alternative: string[] = schema.oneOf?.[0].required ?? [];
    const names: string[] = [...(schema.required ?? []), ...alternative];
    const body = Object.fromEntries(names.map((name) => [name, suggestion(schema.properties[name])]));
    expect(names.filter((name) => body[name] === undefined)).toEqual([]);
    expect(fits(body)).toBe(true);
    const reply = await send(id, body);
    expect(reply.status, JSON.stringify(reply.body)).not.toBe(400);
  },
);

const charge = { customer_name: "Chidi Obi", customer_email: "chidi@example.com", description: "Order" };
const image = { link: "https://shop.example/a.png" };

describe("a body that the server refuses does not fit the contract", () => {
  test.each([
    ["sendChannelMessage", { to: "2348031234567" }],
    ["sendChannelMessage", { to: "2348031234567", text: "a", image }],
    ["sendChannelMessage", { to: "+2348031234567", text: "a" }],
    ["registerWebhook", { url: "ftp://shop.example" }],
    ["registerWebhook", { url: "https://ada:secret@shop.example" }],
    ["registerWebhook", { url: "shop.example/webhooks" }],
    ["registerWebhook", { url: "https://" }],
    ["createPayout", { amount: 50 }],
    ["createPayout", { amount: 1_000_000_000.01 }],
    ["createCharge", { ...charge, amount: 99.99 }],
    ["createCharge", { ...charge, amount: 5_000_000.01 }],
    ["simulatePayment", { virtual_account_id: "va_0", amount: 0 }],
    ["createRefund", { payment_id: "pay_0", reason: "Returned", amount: 0 }],
    ["startPhoneVerification", { phone: "080312345678" }],
    ["startPhoneVerification", { phone: "2348031234567" }],
    ["startPhoneVerification", { phone: "nonsense" }],
  ])("%s %j", async (id, body) => {
    expect((await send(id, body)).status).toBe(400);
    expect(bodyOf(id).fits(body)).toBe(false);
  });
});

describe("a body that the server accepts fits the contract", () => {
  test.each([
    ["sendChannelMessage", { to: "2348031234567", image }],
    ["registerWebhook", { url: "HTTP://127.0.0.1:3000/hooks?shop=a@b#top" }],
    ["registerWebhook", { url: "http://[::1]:3000" }],
    ["createPayout", { amount: 50.01 }],
    ["createCharge", { ...charge, amount: 5_000_000 }],
    ["startPhoneVerification", { phone: " 0803 123-4567 " }],
    ["startPhoneVerification", { phone: "+44 7911 123456" }],
    ["startPhoneVerification", { phone: "+2348000000001" }],
    ["startPhoneVerification", { phone: "+376 312 345" }],
  ])("%s %j", async (id, body) => {
    expect((await send(id, body)).status).not.toBe(400);
    expect(bodyOf(id).fits(body)).toBe(true);
  });
});

test.each([
  ["payout.paid", ["paid"]],
  ["payout.rejected", ["rejected"]],
  ["refund.failed", ["failed"]],
  ["payment.received", ["success"]],
  ["payment.failed", ["failed"]],
  ["payment.issue", ["held"]],
  ["payment.issue_resolved", ["success", "held"]],
])("the payload of %s can have the status %j only", (kind, statuses) => {
  const { schema } = document.webhooks[kind].post.requestBody.content["application/json"];
  expect(follow(follow(schema).properties.data).properties.status.enum).toEqual(statuses);
});

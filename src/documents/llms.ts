/**
 * Texts for language models: `llms.txt`, what they need to know about the sandbox, in the format of llmstxt.org, and
 * `SKILL.md`, which teaches a coding agent to test an integration.
 */
import { controlPath, controlPrefix, controlRoutes } from "../contract/control-routes.js";
import { formatNaira, formatNumber, openingBalance } from "../contract/money.js";
import { type AnyOperation, commonOutcomes, methodOf, pathOf } from "../contract/operation.js";
import { isBinary } from "../contract/reply-forms.js";
import {
  describeSchema,
  fieldsIn,
  type JsonSchema,
  type SchemaWords,
  toJsonSchema,
} from "../contract/schema-walk.js";
import { codeLifetimeMs, maxWrongCodes } from "../service/phone/phone.js";
import { serviceSections } from "../service/sections.js";
import { eventKinds } from "../service/webhooks/events.js";
import { formatLength } from "../time/instants.js";
import { historyLimit } from "../world/account/commits.js";
import { retryDelays } from "../world/webhooks/delivery.js";
import { tagOf } from "./openapi/tags.js";

export interface LlmsSource {
  baseUrl: string;
  testKey: string;
  operations: readonly AnyOperation[];
  controlOperations: readonly AnyOperation[];
}

/** Depth to which the fields of a reply are listed. */
const maxDepth = 3;

/** Returns the fields of a schema: `phone, reference?, amount: number, lines: [{sku}]`. Texts have no type. */
function formatFields(schema: JsonSchema, depth = 1): string {
  const fields = fieldsIn(schema).map(({ name, schema: field, isRequired }) => {
    const type = describeSchema(field, wordsAt(depth));
    return `${name}${isRequired ? "" : "?"}${type === "text" ? "" : `: ${type}`}`;
  });
  return fields.join(", ");
}

const wordsAt = (depth: number): SchemaWords => ({
  or: " or ",
  choice: (values, { const: only }) => (only === undefined ? values.join("|") : JSON.stringify(only)),
  list: (items) => `[${items}]`,
  object: (schema) => (depth < maxDepth ? `{${formatFields(schema, depth + 1)}}` : "object"),
  leaf: ({ type }) => (type === "string" ? "text" : [type ?? "any"].flat().join(" or ")),
});

/** Returns the fields of the query, body or form of an operation. */
function formatRequest({ query, body, upload }: AnyOperation): string[] {
  const queried = query ? formatFields(toJsonSchema(query)) : "";
  const files = Object.keys(upload ?? {}).map((name) => `${name}: file`);
  const sent = [...files, ...(body ? [formatFields(toJsonSchema(body))] : [])].filter((text) => text !== "");
  return [
    ...(queried === "" ? [] : [`query ${queried}`]),
    ...(sent.length === 0 ? [] : [`${upload ? "form" : "JSON"} ${sent.join(", ")}`]),
  ];
}

/** Returns the statuses of a success and the fields of the first reply, down to this depth. */
function formatReply({ reply }: AnyOperation, depth = 1): string {
  const [[, schema] = []] = Object.entries(reply);
  if (schema === undefined) return "";
  const form = isBinary(schema) ? schema.contentType : describeSchema(toJsonSchema(schema), wordsAt(depth));
  return `${Object.keys(reply).join(" or ")} ${form.replace(/^\{(.*)\}$/s, "$1")}`;
}

const lineOf = (operation: AnyOperation): string =>
  `- \`${methodOf(operation)} ${pathOf(operation)}\` (${operation.id}): ${operation.summary}`;

/** Returns the line of an operation with the fields of its request and its first reply. */
const detailedLineOf = (operation: AnyOperation, depth = 1): string =>
  `${lineOf(operation)}\n  - ${[...formatRequest(operation), formatReply(operation, depth)].join(" → ")}`;

/** Returns the line of the outcomes that belong to an operation alone. */
const outcomesLineOf = ({ outcomes = {} }: AnyOperation): string =>
  Object.keys(outcomes).length === 0 ? "" : `\n  - outcomes ${Object.keys(outcomes).join(", ")}`;

function sectionsOf(operations: readonly AnyOperation[]): string {
  const sections = new Map<string, string[]>();
  for (const operation of operations) {
    const { name } = tagOf(operation, serviceSections);
    sections.set(name, [
      ...(sections.get(name) ?? []),
      detailedLineOf(operation) + outcomesLineOf(operation),
    ]);
  }
  return [...sections].map(([name, lines]) => `### ${name}\n\n${lines.join("\n")}`).join("\n\n");
}

export const formatLlms = ({ baseUrl, testKey, operations, controlOperations }: LlmsSource): string =>
  `# Standin

> Local stand-in for a verification, messaging, payments and tools service (Nigeria, NGN). It keeps state, moves it
> through the documented state machines, and sends real signed webhooks. Nothing costs money or reaches a real person.

Base URL: ${baseUrl}. Every API key of 8 to 128 visible characters, such as \`${testKey}\`, opens an isolated account with its own
state, clock, inbox, webhooks and money. Use a new key for each test. Send the key as \`X-Service-Key\`; operations below
\`/v1/domains\` take a session token instead, from \`POST ${controlPath("createSessionToken")}\`, as \`Authorization: Bearer …\`. The header
\`X-Sandbox-Outcome\` forces an outcome. Calls below \`${controlPrefix}\` steer the account of the same key; they exist only here.

For agents: \`npx --no-install standin mcp\` serves tools by the Model Context Protocol.

## Start, and write a test

In a project that has Standin installed, \`npx --no-install standin start\` runs it (in a clone of Standin: \`npm ci && npm start\`).
\`npx --no-install standin exec -- npm test\` runs tests beside a fresh sandbox, in any language: it sets \`SERVICE_BASE_URL\`
(without a path), \`SERVICE_KEY\` and \`WEBHOOK_SECRET\`, the secret of the webhooks of that key alone. At the end it stops the sandbox and
reports what the tests left out and what would hurt a client; without flags, the report fails nothing. A test over HTTP alone, for
\`node --test\`, which uses its own key:

\`\`\`js
import assert from "node:assert";
import { test } from "node:test";

const base = process.env.SERVICE_BASE_URL ?? "${baseUrl}";
const headers = { "X-Service-Key": \`svc_test_\${crypto.randomUUID()}\`, "Content-Type": "application/json" };
const call = async (method, path, body) => {
  const response = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
};

test("a phone is verified with the code that was sent", async () => {
  const started = await call("POST", "/v1/phone/verify/start", { phone: "08031234567" });
  assert.equal(started.status, 201);
  const message = await call("GET", "${controlPath("waitForMessage")}?to=08031234567"); // never sleep: wait
  const { id } = started.body;
  const checked = await call("POST", "/v1/phone/verify/check", { id, code: message.body.codes[0] });
  assert.equal(checked.body.verified, true);
});
\`\`\`

A wrong code answers 200 with \`verified: false\`, and ${maxWrongCodes} wrong codes end in the status \`max_attempts_reached\`. A code expires after ${formatLength(codeLifetimeMs)}.

A second test in the same file receives a webhook. Each is a POST whose header \`X-Service-Signature\` is the lower-case hexadecimal
HMAC-SHA256 of the raw body, with the \`secret\` that the registration returned:

\`\`\`js
import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";

test("a payment is settled and paid out, and a signed webhook says so", async (t) => {
  const received = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ raw: Buffer.concat(chunks), signature: String(request.headers["x-service-signature"]) });
    response.writeHead(200).end(); // any other status is retried after ${retryDelays.map(formatLength).join(", ")}
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const url = \`http://127.0.0.1:\${server.address().port}/webhooks\`;
  const { secret } = (await call("POST", "/v1/webhooks", { url, events: ["payout.paid"] })).body;

  const profile = { business_name: "Ada Stores", business_type: "registered", contact_phone: "08031234567" };
  await call("PUT", "/v1/business/profile", profile);
  const customer = { customer_name: "Chidi Obi", customer_email: "chidi@example.com" };
  const { id } = (await call("POST", "/v1/business/virtual-accounts", customer)).body;
  await call("POST", "/v1/business/test/simulate-payment", { virtual_account_id: id, amount: 10_000 }); // naira
  await call("POST", "${controlPath("advanceClock")}", { by: "24h" }); // settles: the money is available
  await call("PUT", "/v1/business/payout-account", { bank_code: "058", account_number: "0123456789" });
  const payout = await call("POST", "/v1/business/payouts", { amount: 5_000 });
  assert.equal(payout.body.status, "requested");
  await call("POST", "${controlPath("advanceClock")}", { by: "1h" }); // returns when due webhooks have been delivered

  const [{ raw, signature }] = received;
  const expected = createHmac("sha256", secret).update(raw).digest();
  assert.ok(timingSafeEqual(expected, Buffer.from(signature, "hex")));
  const { event, data } = JSON.parse(raw);
  assert.deepEqual([event, data.id, data.status], ["payout.paid", payout.body.id, "paid"]);
});
\`\`\`

Without a profile, a payout account or enough available money, the step that needs it answers 422 and says what is missing. A refusal
always names the right value or the nearest name, so that it is safe to try.

In JavaScript and TypeScript, the library starts a sandbox in the test's process:

\`\`\`js
import { startSandbox } from "standin";

const sandbox = await startSandbox(); // on a free port, in memory
const account = sandbox.account(); // a fresh account: account.baseUrl (without a path), account.key
await account.fetch("/v1/phone/verify/start", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ phone: "08031234567" }),
});
const { codes } = await account.inbox.wait({ to: "08031234567" });
await account.advance("10m"); // moves the clock, and runs what falls due
await account.rules.add({ on: "startPhoneVerification", outcome: "provider_unavailable", times: 1 }); // the next one answers 503
await sandbox.close();
\`\`\`

An error is \`{"error":{"type","code","message","param","details","request_id"}}\` with the status 4xx or 5xx: 400 for an invalid
field, 401 without a key, 404 for an unknown id, 409 and 422 where the state does not allow it, 429 beyond a limit.

## Contract

- [OpenAPI of the service](${baseUrl}${controlPath("getServiceContract")}): every operation, schema and error
- [OpenAPI of the control API](${baseUrl}${controlPath("getControlContract")}): everything that steers the sandbox
- [Outcomes and test values](${baseUrl}${controlPath("listOutcomes")}): what each operation can be made to answer
- [Assumptions](${baseUrl}${controlPath("listAssumptions")}): what the interface leaves open, and how it can be switched

## Levers

- \`POST ${controlPath("createRule")} {"on": "startPhoneVerification", "outcome": "sms_failed", "times": 1}\` decides the next request.
  \`on\` is an operation's name (in brackets below), an event such as \`payout.paid\`, or \`*\`. The outcomes ${Object.keys(commonOutcomes).join(", ")}
  fit every operation of the service and answer with an error; those listed below each operation are its own. An outcome such as
  \`rejected\` of a payout does not change the reply: the payout is rejected later, on the account's clock.
- Rules also disturb webhooks (\`webhook\`), break or delay replies (\`fault\`; the fields of both stand below, at createRule)
  (\`{"fault": {"reply_after": "webhook"}}\` lets the webhook arrive before the reply), or hold a request, reply or webhook
  until it is released (\`{"hold": "reply"}\`, then \`POST ${controlPath("releaseHeld")}\`).
- \`PATCH ${controlPath("updateAccount")} {"code": "123456"}\` fixes the one-time codes; \`webhook_secret\` the secret of the webhooks.
- \`account.advance("10m", { timers: vi })\` advances the clock of the account, and the fake clock of a test with it.
- \`standin start --tls\` serves HTTPS as well; \`standin ca\` prints the authority that clients have to trust.
- \`standin exec --min-coverage operations=40 --conduct fail -- npm test\` fails if the tests exercise too little, or if the
  client does what would hurt it with the real service.
- \`standin listen --route 'payout.*=/payouts'\` forwards webhooks to local paths by kind.

## Operations of the service

Below each operation: the fields of the request, then the status and the fields of the reply. A field is text unless a type follows;
\`?\` marks optional ones.

${sectionsOf(operations)}

## Control API

${controlOperations.map((operation) => detailedLineOf(operation, maxDepth - 1)).join("\n")}
`;

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

/** Formats `SKILL.md`. Lists of outcomes, events and limits come from the contract. */
export const formatSkill = (): string => `---
name: standin
description: Test an integration with the verification, messaging, payments and tools service against Standin, its local stand-in. Use it when code calls /v1/phone, /v1/verify, /v1/wa, /v1/business or /v1/webhooks, when a test needs such a service, or when a webhook or payout behaves unexpectedly.
---

# Test an integration with Standin

Standin answers like the service answers a test key, keeps state, and sends real signed webhooks. Nothing is real.

## Begin

1. If the tools of \`standin mcp\` are available, call \`status\`: it gives \`SERVICE_BASE_URL\`, \`SERVICE_KEY\` and \`WEBHOOK_SECRET\`.
   Otherwise run the tests with \`npx --no-install standin exec -- COMMAND\`, which sets the same variables.
2. The code under test must read base URL and key from its configuration. Never put a URL of the real service into a test.
3. \`npx --no-install standin init --dry-run\` shows a recipe for this project: a test, a script and a CI job. \`npx --no-install standin init\` writes it.

## Rules

- One test, one key: any new key is a new account with ${formatNaira(openingBalance)}. Tests never share state and need no clean-up.
- Never sleep. Wait for a message or an event (\`wait_for\`, \`account.inbox.wait()\`), and move the clock (\`advance\`).
- Never invent fields. Ask \`find_operation\` or \`${controlPath("getServiceContract")}\`.
- Do not weaken a test because the sandbox answers unexpectedly: \`explain\` the request id first. It says which header, rule,
  test value or assumption decided.

## Unhappy paths

Force a result with the header \`X-Sandbox-Outcome\`, with a rule (\`set_rules\`, \`${controlRoutes.createRule}\`), or with a test value
(\`npx --no-install standin values\`). Outcomes of every operation: ${list(Object.keys(commonOutcomes))}. \`find_operation\` lists all outcomes of an operation.

## Webhooks

Register a URL with \`POST /v1/webhooks\`; its reply has the secret. Verify \`X-Service-Signature\` over the raw bytes before
parsing, answer with 2xx at once, and treat an event id that was seen before as done: deliveries are repeated up to
${retryDelays.length} times after a failure. \`check_receiver\` (\`npx --no-install standin webhooks check URL\`) tests all of that. Events:
${list(eventKinds)}.

## When something went wrong

1. \`activity\`: what happened, newest first. 2. \`explain ID\`: why, for the id of a request, record, event or message.
3. \`${controlRoutes.rewindAccount} {"to": ID}\`: the account as it was before that activity, for the last ${formatNumber(historyLimit)} commits, to try again.

## A payout was rejected: why?

\`\`\`
activity {"q": "payout"}        the move to rejected, and its id
explain {"id": "po_…"}          the request that asked for it, the rule that decided, the webhook that it caused
set_rules {"rules": []}         without the rule, the next payout is paid
\`\`\`

## Tools of \`standin mcp\`

\`status\`, \`find_operation\`, \`call\`, \`wait_for\`, \`activity\`, \`explain\`, \`set_rules\`, \`advance\`, \`scenario\`, \`check_receiver\`. Each
error says what to do next.
`;

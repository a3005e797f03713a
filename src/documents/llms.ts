/** `llms.txt`: what a language model needs to know of the sandbox, in the form of llmstxt.org. */

import { controlPath, controlPrefix } from "../contract/control-routes.js";
import { type AnyOperation, methodOf, pathOf } from "../contract/operation.js";
import { isBinary } from "../contract/reply-forms.js";
import {
  describeSchema,
  fieldsIn,
  type JsonSchema,
  type SchemaWords,
  toJsonSchema,
} from "../contract/schema-walk.js";
import { serviceSections } from "../service/sections.js";
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

/** Returns what an operation takes: the fields of its query, its body or its form. */
function formatRequest({ query, body, upload }: AnyOperation): string[] {
  const queried = query ? formatFields(toJsonSchema(query)) : "";
  const files = Object.keys(upload ?? {}).map((name) => `${name}: file`);
  const sent = [...files, ...(body ? [formatFields(toJsonSchema(body))] : [])].filter((text) => text !== "");
  return [
    ...(queried === "" ? [] : [`query ${queried}`]),
    ...(sent.length === 0 ? [] : [`${upload ? "form" : "JSON"} ${sent.join(", ")}`]),
  ];
}

function formatReply({ reply }: AnyOperation): string {
  const [[status, schema] = []] = Object.entries(reply);
  if (schema === undefined) return "";
  const form = isBinary(schema) ? schema.contentType : describeSchema(toJsonSchema(schema), wordsAt(1));
  return `${status} ${form.replace(/^\{(.*)\}$/s, "$1")}`;
}

const lineOf = (operation: AnyOperation): string =>
  `- \`${methodOf(operation)} ${pathOf(operation)}\` (${operation.id}): ${operation.summary}`;

/** Returns the line of an operation with the fields of its request and its first reply. */
const detailedLineOf = (operation: AnyOperation): string =>
  `${lineOf(operation)}\n  - ${[...formatRequest(operation), formatReply(operation)].join(" → ")}`;

function sectionsOf(operations: readonly AnyOperation[]): string {
  const sections = new Map<string, string[]>();
  for (const operation of operations) {
    const { name } = tagOf(operation, serviceSections);
    sections.set(name, [...(sections.get(name) ?? []), detailedLineOf(operation)]);
  }
  return [...sections].map(([name, lines]) => `### ${name}\n\n${lines.join("\n")}`).join("\n\n");
}

export const formatLlms = ({ baseUrl, testKey, operations, controlOperations }: LlmsSource): string =>
  `# Standin

> Local stand-in for a verification, messaging, payments and tools service (Nigeria, NGN). It keeps state, moves it
> through the documented state machines, and sends real signed webhooks. Nothing costs money or reaches a real person.

Base URL: ${baseUrl}. Every API key of 8 to 128 visible characters, such as \`${testKey}\`, opens an isolated account: state,
clock, inbox, webhooks and money of its own. Use a new key for each test. Send the key as \`X-Service-Key\`. The header
\`X-Sandbox-Outcome\` forces an outcome. Calls below \`${controlPrefix}\` steer the account of the same key; they exist only here.

For agents: \`npx --no-install standin mcp\` serves tools by the Model Context Protocol.

## Start, and write a test

In a project that has Standin installed, \`npx --no-install standin start\` runs it (in a clone of Standin: \`npm ci && npm start\`).
\`npx --no-install standin exec -- npm test\` runs tests beside a fresh sandbox, in any language: it sets \`SERVICE_BASE_URL\`
(without a path), \`SERVICE_KEY\` and \`WEBHOOK_SECRET\`, and stops the sandbox at the end. A test over HTTP alone, for
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

In JavaScript and TypeScript, the library starts a sandbox in the test's process:

\`\`\`js
import { startSandbox } from "standin";

const sandbox = await startSandbox(); // on a free port, in memory
const account = sandbox.account(); // a fresh account: account.baseUrl, account.key
const { codes } = await account.inbox.wait({ to: "08031234567" });
await account.advance("10m"); // moves the clock, and runs what falls due
await account.rules.add({ on: "createPayout", outcome: "rejected", times: 1 });
await sandbox.close();
\`\`\`

An error is \`{"error":{"type","code","message","param","details","request_id"}}\` with the status 4xx or 5xx: 400 for an invalid
field, 401 without a key, 404 for an unknown id, 409 and 422 where the state does not allow it, 429 beyond a limit.

## Contract

- [OpenAPI of the service](${baseUrl}${controlPath("getServiceContract")}): every operation, schema and error
- [OpenAPI of the control API](${baseUrl}${controlPath("getControlContract")}): everything that steers the sandbox
- [Outcomes and test values](${baseUrl}${controlPath("listOutcomes")}): what each operation can be made to answer
- [Assumptions](${baseUrl}/docs/assumptions): what the interface leaves open, and how it can be switched

## Levers

- Rules (\`POST ${controlPath("createRule")}\`) give matching requests an outcome, disturb webhooks, break or delay replies
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
\`?\` marks one that may be left out.

${sectionsOf(operations)}

## Control API

${controlOperations.map(lineOf).join("\n")}
`;

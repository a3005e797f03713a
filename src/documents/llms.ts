/** `llms.txt`: what a language model needs to know of the sandbox, in the form of llmstxt.org. */

import { controlPath, controlPrefix } from "../contract/control-routes.js";
import { type AnyOperation, methodOf, pathOf } from "../contract/operation.js";
import { serviceSections } from "../service/sections.js";
import { tagOf } from "./openapi/tags.js";

export interface LlmsSource {
  baseUrl: string;
  testKey: string;
  operations: readonly AnyOperation[];
  controlOperations: readonly AnyOperation[];
}

const lineOf = (operation: AnyOperation): string =>
  `- \`${methodOf(operation)} ${pathOf(operation)}\` (${operation.id}): ${operation.summary}`;

function sectionsOf(operations: readonly AnyOperation[]): string {
  const sections = new Map<string, string[]>();
  for (const operation of operations) {
    const { name } = tagOf(operation, serviceSections);
    sections.set(name, [...(sections.get(name) ?? []), lineOf(operation)]);
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

${sectionsOf(operations)}

## Control API

${controlOperations.map(lineOf).join("\n")}
`;

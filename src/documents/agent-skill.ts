/** `SKILL.md`: teaches a coding agent to test an integration with Standin. */
import { controlPath, controlRoutes } from "../contract/control-routes.js";
import { formatNaira, formatNumber, openingBalance } from "../contract/money.js";
import { commonOutcomes } from "../contract/operation.js";
import { eventKinds } from "../service/webhooks/events.js";
import { historyLimit } from "../world/account/commits.js";
import { retryDelays } from "../world/webhooks/delivery.js";

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

/** Formats the file. Lists of outcomes, events and limits come from the contract. */
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

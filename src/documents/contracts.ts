/** The two OpenAPI documents, and the files of contracts/. */
import packageJson from "../../package.json" with { type: "json" };
import type { Assumption } from "../contract/assumptions/assumption.js";
import { type CoverageKind, reportCoverage } from "../control/coverage.js";
import { controlOperations } from "../control/index.js";
import { ExamCard } from "../exam/card.js";
import { Beliefs } from "../exam/reconcile.js";
import { scenarioSchema } from "../scenarios/scenario-schema.js";
import { testKey } from "../server/settings.js";
import * as account from "../service/account/account.js";
import * as address from "../service/address/check.js";
import { type Assumptions, assumptions } from "../service/assumptions.js";
import { Finding } from "../service/audits/audit-results.js";
import * as audits from "../service/audits/audits.js";
import * as businessAccounts from "../service/business/accounts.js";
import * as charges from "../service/business/charges.js";
import * as businessActivity from "../service/business/profile.js";
import * as profile from "../service/business/profile.js";
import * as records from "../service/business/resources.js";
import * as channels from "../service/channels/channels.js";
import * as channelCodes from "../service/channels/codes.js";
import * as questions from "../service/channels/identity-questions.js";
import * as messages from "../service/channels/messages.js";
import * as domains from "../service/domains/domains.js";
import * as identity from "../service/identity/verification.js";
import { serviceOperations } from "../service/index.js";
import { machines } from "../service/machines.js";
import * as media from "../service/media/scans.js";
import * as phone from "../service/phone/phone.js";
import { priceList } from "../service/prices.js";
import * as sessions from "../service/sessions/sessions.js";
import { CompletedVerification, EndedIdentityCheck } from "../service/webhooks/events.js";
import { WebhookEndpoint } from "../service/webhooks/webhooks.js";
import { Coverage } from "../world/activity/coverage.js";
import { formatLlms, formatSkill } from "./llms.js";
import { openapi } from "./openapi/document.js";
import { namedSchemas } from "./openapi/schemas.js";
import { controlTags } from "./openapi/tags.js";

const { license, version } = packageJson;

/** Schemas that the document refers to by name. */
const components = namedSchemas(
  records,
  { CompletedVerification, EndedIdentityCheck, Finding, WebhookEndpoint },
  phone,
  identity,
  address,
  sessions,
  account,
  audits,
  domains,
  media,
  channels,
  messages,
  channelCodes,
  questions,
  profile,
  businessAccounts,
  charges,
  businessActivity,
);

/** Returns the document of the service. `assumptions` defaults to the default values. */
export const serviceDocument = (serverUrl: string, assumptions?: Assumptions): object =>
  openapi({
    title: "Verification, messaging, payments and tools service",
    description:
      "The service's operations and webhooks as Standin serves them. What the interface leaves open carries x-assumption.",
    version,
    license,
    serverUrl,
    operations: serviceOperations,
    webhooks: true,
    components,
    prices: priceList,
    assumptions,
  });

export const controlDocument = (serverUrl: string): object =>
  openapi({
    title: "Standin control API",
    description:
      "Operations that steer the sandbox: clock, inbox, outcomes, webhooks, records. The service has none of them.",
    version,
    license,
    serverUrl,
    operations: controlOperations,
    tags: controlTags,
  });

const allOperations = [...serviceOperations, ...controlOperations];

const formatSchema = (title: string, schema: object): string =>
  `${JSON.stringify({ $schema: "https://json-schema.org/draft/2020-12/schema", title, ...schema }, null, 2)}\n`;

/** Returns the files that repeat the contract, by their path from contracts/. */
export const emittedFiles = (): Record<string, string> => ({
  "openapi.json": `${JSON.stringify(serviceDocument("http://127.0.0.1:4010"), null, 2)}\n`,
  "ASSUMPTIONS.md": formatAssumptions(),
  "../llms.txt": formatLlms({
    baseUrl: "http://127.0.0.1:4010",
    testKey,
    operations: serviceOperations,
    controlOperations,
  }),
  "../skills/standin/SKILL.md": formatSkill(),
  "scenario.schema.json": `${JSON.stringify(scenarioSchema(allOperations), null, 2)}\n`,
  "exam-card.schema.json": formatSchema("Report card of standin exam", ExamCard),
  "reconcile.schema.json": formatSchema(
    "What a client's system believes, for standin exam --reconcile",
    Beliefs,
  ),
});

/** Returns a text with current totals in its line about the coverage of the service. */
export function withCoverageTotals(text: string): string {
  const { summary } = reportCoverage(new Coverage(), serviceOperations, machines);
  return text.replace(/^Coverage of the service: .*$/m, (line) =>
    line.replace(
      /(\w+) (\d+) of \d+/g,
      (_shown, kind: CoverageKind, exercised) => `${kind} ${exercised} of ${summary[kind].total}`,
    ),
  );
}

const intro = `# Assumptions

Where the interface of the service leaves a question open, the sandbox behaves as described here.
Entries with values can be switched: under \`"assumptions"\` in \`standin.config.json\`, with the environment variable
\`STANDIN_ASSUMPTIONS="id=value,id=value"\`, or with the flag \`--assume id=value\`. Flags override the environment, which
overrides the config.
`;

const groupOf = (row: Assumption): string => row.id.split(".", 1)[0] ?? row.id;

const title = (group: string): string => group.charAt(0).toUpperCase() + group.slice(1).replaceAll("_", " ");

const paragraph = (text: string): string => {
  const lines = text.split("\n");
  return lines.length === 1 ? text : lines.map((line) => `- ${line}`).join("\n");
};

function valuesOf({ id, switch: values }: Assumption): string[] {
  if (!values) return [];
  const others = Object.entries(values.alternatives).map(
    ([value, meaning]) => `- \`${id}=${value}\`: ${meaning}`,
  );
  return ["Values:", [`- \`${id}=${values.default}\`: the default, as above`, ...others].join("\n")];
}

const section = (row: Assumption): string =>
  [
    `### ${row.id}`,
    `**${row.question}**`,
    paragraph(row.default),
    `Why: ${row.reason}`,
    ...valuesOf(row),
  ].join("\n\n");

function formatAssumptions(): string {
  const groups = new Map<string, Assumption[]>();
  for (const row of assumptions) groups.set(groupOf(row), [...(groups.get(groupOf(row)) ?? []), row]);
  const chapters = [...groups].map(([name, rows]) =>
    [`## ${title(name)}`, ...rows.map(section)].join("\n\n"),
  );
  return `${[intro.trimEnd(), ...chapters].join("\n\n")}\n`;
}

/** The two OpenAPI documents, and the files of contracts/. */
import packageJson from "../../package.json" with { type: "json" };
import { controlOperations } from "../control/index.js";
import { ExamCard } from "../exam/card.js";
import { Beliefs } from "../exam/reconcile.js";
import { scenarioSchema } from "../scenarios/scenario-schema.js";
import { testKey } from "../server/settings.js";
import * as account from "../service/account/schemas.js";
import * as address from "../service/address/schemas.js";
import type { Assumptions } from "../service/assumptions.js";
import * as audits from "../service/audits/schemas.js";
import * as records from "../service/business/resources.js";
import * as business from "../service/business/schemas.js";
import * as channels from "../service/channels/schemas.js";
import * as domains from "../service/domains/schemas.js";
import * as identity from "../service/identity/schemas.js";
import { serviceOperations } from "../service/index.js";
import * as media from "../service/media/schemas.js";
import * as phone from "../service/phone/schemas.js";
import { priceList } from "../service/prices.js";
import * as sessions from "../service/sessions/schemas.js";
import { CompletedVerification, EndedIdentityCheck } from "../service/webhooks/events.js";
import * as webhooks from "../service/webhooks/schemas.js";
import { formatSkill } from "./agent-skill.js";
import { formatAssumptions } from "./assumptions-page.js";
import { formatLlms } from "./llms.js";
import { openapi } from "./openapi/document.js";
import { namedSchemas } from "./openapi/schemas.js";
import { controlTags } from "./openapi/tags.js";

const { license, version } = packageJson;

/** Schemas that the document refers to by name. */
const components = namedSchemas(
  records,
  { CompletedVerification, EndedIdentityCheck },
  phone,
  identity,
  address,
  sessions,
  account,
  audits,
  domains,
  media,
  channels,
  business,
  webhooks,
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
      "What steers the sandbox: clock, inbox, outcomes, webhooks, records. The service has nothing of this.",
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

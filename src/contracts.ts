/** The two contracts as OpenAPI documents, and the pages that are emitted into contracts/. */
import packageJson from "../package.json" with { type: "json" };
import { assumptionsPage } from "./contract/assumptions-page.js";
import { openapi } from "./contract/openapi.js";
import type { Operation } from "./contract/operation.js";
import { controlOperations } from "./control/index.js";
import { serviceOperations } from "./service/index.js";

const { version } = packageJson;

export const serviceDocument = (serverUrl: string): object =>
  openapi({
    title: "Verification, messaging, payments and tools service",
    description:
      "The service's operations and webhooks as Standin serves them. What the interface leaves open carries x-assumption.",
    version,
    serverUrl,
    operations: serviceOperations as readonly Operation[],
    webhooks: true,
  });

export const controlDocument = (serverUrl: string): object =>
  openapi({
    title: "Standin control API",
    description:
      "What steers the sandbox: clock, inbox, outcomes, webhooks, records. The service has nothing of this.",
    version,
    serverUrl,
    operations: controlOperations as readonly Operation[],
  });

/** The files of contracts/ by name. */
export const emittedFiles = (): Record<string, string> => ({
  "openapi.json": `${JSON.stringify(serviceDocument("http://127.0.0.1:4010"), null, 2)}\n`,
  "ASSUMPTIONS.md": assumptionsPage(),
});

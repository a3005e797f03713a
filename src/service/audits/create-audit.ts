import * as Type from "typebox";
import { coded } from "../../contract/schemas.js";
import { isVerifiedHost } from "../domains/domain-registry.js";
import { operation } from "../operation.js";
import { testValueOutcome } from "../test-values.js";
import { drawAuditResults } from "./audit-results.js";
import { parseSite } from "./audited-site.js";
import { audit, deepAuditMs } from "./machine.js";
import { PendingAudit, StandardAudit } from "./schemas.js";

const outcomes = {
  ready: "the audit completes and is scored",
  failed: "a deep audit cannot complete; a standard audit cannot have this outcome",
  url_unreachable: "the site does not answer: url_unreachable",
};

/** Length that every browser and server accepts. */
const maxUrlLength = 2048;

/** An https URL or an address of Git over SSH, with a host and at least an owner and a name; assumption audits. */
const repositoryPattern =
  "^(https://([A-Za-z0-9-]+[.])+[A-Za-z]{2,}(:[0-9]{1,5})?(/[A-Za-z0-9_.~-]+){2,}/?|git@([A-Za-z0-9-]+[.])+[A-Za-z]{2,}:[A-Za-z0-9_.~-]+(/[A-Za-z0-9_.~-]+)+)$";

/** Test value: a site without findings. */
const perfectHost = "perfect.test";

export const createAudit = operation({
  id: "createAudit",
  route: "POST /v1/audits",
  summary: "Audit a website",
  description:
    "A standard audit completes within the call, and the first one of an account is free. With tier deep the audit " +
    "runs in the background: poll it until it is ready or failed. A completion email is also sent.",
  auth: "key",
  isHarmless: true,
  body: Type.Object({
    url: Type.String({ minLength: 1, maxLength: maxUrlLength, examples: ["https://example.com"] }),
    tier: Type.Optional(Type.Enum(["standard", "deep"], { description: "Default: standard" })),
    github_repo_url: Type.Optional(
      Type.String({
        pattern: repositoryPattern,
        maxLength: maxUrlLength,
        ...coded(
          "validation_error",
          "the address of a repository, such as https://github.com/example/site or git@github.com:example/site.git",
        ),
        description: "Source-code repository for the optional code review of a deep audit",
        examples: ["https://github.com/example/site"],
      }),
    ),
  }),
  reply: { 201: Type.Union([StandardAudit, PendingAudit]) },
  refuses: ["url_unreachable", "insufficient_balance"],
  outcomes,
  price: ({ body }) => (body.tier === "deep" ? "audit_deep" : "audit_standard"),
  freeFirst: ["audit_standard"],
  latency: ({ body }) => (body.tier === "deep" ? null : [15_000, 70_000]),
  assumptions: ["audits", "audits.failed", "audits.sites", "domains.scope"],

  impossible: (outcome, { body }) =>
    outcome === "failed" && body.tier !== "deep" ? "only a deep audit can fail; send tier deep" : undefined,
  testValue: ({ body }) => testValueOutcome("createAudit", "site host", parseSite(body.url).host),

  handle({ account, assumptions, body, outcome, cost, refuse }) {
    const { url, host } = parseSite(body.url);
    if (outcome === "url_unreachable") {
      refuse("url_unreachable", {
        param: "url",
        message: `${url} does not answer; check the address.`,
        byOutcome: true,
      });
    }
    const deep = body.tier === "deep";
    const active = deep && isVerifiedHost(account, host);
    const code = deep && body.github_repo_url !== undefined;
    const results = drawAuditResults({ url, deep, active, code, perfect: host === perfectHost });
    const made = account.records.start(audit, deep ? "accept" : "finish", {
      url,
      tier: deep ? "deep" : "standard",
      active_tests_run: active,
      results: deep ? null : results,
      outcome: outcome === "failed" ? "failed" : "ready",
      outlook: deep ? results : null,
      ends_at: deep ? account.clock.now() + deepAuditMs : null,
      cost,
      refunded_if_failed: assumptions["audits.failed"] === "refunded",
    });
    return audit.view(made) as Type.Static<typeof StandardAudit> | Type.Static<typeof PendingAudit>;
  },
});

import * as Type from "typebox";
import { operation } from "../operation.js";
import { PendingAudit, StandardAudit } from "./schemas.js";

export const createAudit = operation({
  id: "createAudit",
  route: "POST /v1/audits",
  summary: "Audit a website",
  description:
    "A standard audit is finished within the call and the first one of an account is free. With tier deep the audit " +
    "runs in the background: poll it until it is ready or failed; its completion is also sent by e-mail.",
  auth: "key",
  body: Type.Object({
    url: Type.String({ minLength: 1, examples: ["https://example.com"] }),
    tier: Type.Optional(Type.Literal("deep")),
    github_repo_url: Type.Optional(
      Type.String({
        format: "uri",
        description: "Source-code repository for the code review of a deep audit",
        examples: ["https://github.com/example/site"],
      }),
    ),
  }),
  reply: { 201: Type.Union([StandardAudit, PendingAudit]) },
  refuses: ["url_unreachable", "insufficient_balance"],
  outcomes: {
    ready: "the audit is finished and scored",
    failed: "a deep audit cannot complete and is refunded; a standard one is not affected",
    url_unreachable: "the site does not answer, 422 url_unreachable",
  },
  price: ({ body }) => (body.tier === "deep" ? "audit_deep" : "audit_standard"),
  latency: [15_000, 70_000],
  assumptions: ["audits"],
});

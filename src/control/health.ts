/** Health, readiness and figures of the whole sandbox, for those who operate it. */

import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { refuse } from "../contract/errors.js";
import { Binary } from "../contract/reply-forms.js";
import { operation } from "./operation.js";

export const getHealth = operation({
  id: "getHealth",
  route: controlRoutes.getHealth,
  summary: "Check that the sandbox is serving",
  auth: "none",
  reply: { 200: Type.Object({ status: Type.Literal("ok") }) },
  handle: () => ({ status: "ok" as const }),
});

export const getReadiness = operation({
  id: "getReadiness",
  route: controlRoutes.getReadiness,
  summary: "Check that the sandbox can serve accounts",
  description:
    "Refused with 503 while the sandbox stops and while its store cannot be reached. A load balancer sends requests to ready replicas only.",
  auth: "none",
  reply: { 200: Type.Object({ status: Type.Literal("ready") }) },
  refuses: ["not_ready"],
  handle({ sandbox }) {
    const message = sandbox.unready();
    if (message !== null) refuse("not_ready", { message, headers: { "Retry-After": "1" } });
    return { status: "ready" as const };
  },
});

export const getMetrics = operation({
  id: "getMetrics",
  route: controlRoutes.getMetrics,
  summary: "Get the figures of this process in the text format of Prometheus",
  auth: "operator",
  reply: { 200: { contentType: "text/plain; version=0.0.4; charset=utf-8" } },
  async handle({ sandbox }) {
    const { formatMetrics } = await import("./format-metrics.js");
    const { contentType, text } = await formatMetrics(sandbox);
    return new Binary(contentType, Buffer.from(text));
  },
});

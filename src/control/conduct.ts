/** Conduct: what clients did that would hurt them with the real service. */
import * as Type from "typebox";
import { exactly } from "../contract/schemas.js";
import { judgeConduct } from "../exam/conduct/judge.js";
import { conductRules } from "../exam/conduct/rules.js";
import { Turns } from "../time/turns.js";
import { operation } from "./operation.js";

const ruleIds = conductRules.map(({ id }) => id);

const Finding = exactly({
  rule: Type.Enum(ruleIds, { description: "Id of the rule that was broken" }),
  account: Type.String({ description: "Id of the account" }),
  title: Type.String(),
  about: Type.String({ description: "Operation or event" }),
  happened: Type.String({ description: "What happened the first time" }),
  count: Type.Integer({ minimum: 1, description: "Number of occasions" }),
  reason: Type.String({ description: "Why it matters" }),
  right: Type.String({ description: "What would be right" }),
  evidence: Type.Array(Type.String(), {
    description: "Ids of requests and deliveries that prove it, at most ten",
  }),
});

export const getConduct = operation({
  id: "getConduct",
  summary: "Judge what clients did: what would hurt them with the real service, and what would be right",
  description:
    "Judges the last 1,000 requests and the deliveries of each account. A rule that cannot be sure stays silent: rules about time are silent while the clock is frozen, and about everything before it was last set.",
  query: Type.Object({
    scope: Type.Optional(
      Type.Enum(["all", "account"], {
        default: "all",
        description: "`all`: all accounts in memory. `account`: the caller's account",
      }),
    ),
  }),
  reply: {
    200: Type.Object({
      findings: Type.Array(Finding),
      judged: exactly(
        { accounts: Type.Integer(), requests: Type.Integer(), deliveries: Type.Integer() },
        { description: "How much was judged. Without requests, the absence of findings means nothing" },
      ),
      failed: Type.Array(
        exactly({
          rule: Type.Enum(ruleIds),
          account: Type.String({ description: "Id of the account" }),
          error: Type.String(),
        }),
        { description: "Rules that failed with an error and judged nothing" },
      ),
      rules: Type.Array(
        exactly({
          id: Type.String(),
          title: Type.String(),
          needs_time: Type.Boolean({ description: "Silent under a frozen clock" }),
        }),
      ),
    }),
  },

  async handle({ account, sandbox, query }) {
    const accounts = query.scope === "account" ? [account] : [...sandbox.world.accounts()];
    const turns = new Turns();
    const findings = [];
    const failed = [];
    const judged = { accounts: accounts.length, requests: 0, deliveries: 0 };
    for (const account of accounts) {
      const judgement = await judgeConduct(account);
      judged.requests += judgement.requests;
      judged.deliveries += judgement.deliveries;
      for (const { rule, isMild: _isMild, ...finding } of judgement.findings) {
        const { id, title, reason, right } = rule;
        findings.push({ rule: id, account: account.id, title, ...finding, reason, right });
      }
      for (const { rule, error } of judgement.failed)
        failed.push({ rule: rule.id, account: account.id, error });
      await turns.step();
    }
    const rules = conductRules.map(({ id, title, needsTime = false }) => ({
      id,
      title,
      needs_time: needsTime,
    }));
    return { findings, judged, failed, rules };
  },
});

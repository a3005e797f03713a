import { type Assumption, facts } from "../../contract/assumptions/assumption.js";

/** Behaviour that the interface leaves open about website audits. */
export const auditRows = [
  {
    id: "audits",
    question:
      "Which categories, severities and grades does an audit have, and how long does a deep audit take?",
    default: facts(
      "Categories: security, performance, seo, accessibility, best_practices.",
      "Severities: info, warning, critical.",
      "Grades: A from 90, B from 80, C from 70, D from 60, otherwise F.",
      "A deep audit takes 4 minutes; its completion email arrives in the inbox.",
      "While it is pending, and after it has failed, it has no findings, and score and grade are null.",
      "The scores of `lighthouse` are from 0 to 100, and `ai_signals.signals` are texts.",
      "`tier` is `deep`, `standard` or omitted, which is `standard`; anything else gets 400 `validation_error`.",
      "`github_repo_url` is an https URL of any host, or `git@host:owner/name`; it is not fetched.",
    ),
    reason: "Four of the categories are the documented lighthouse keys, and the grades are school grades.",
  },
  {
    id: "audits.failed",
    question: "Is a deep audit that fails billed?",
    default: "Yes; `cost` stays its price.",
    reason: "The interface says that deep audits are always billed.",
    switch: {
      default: "billed",
      alternatives: { refunded: "its price is refunded when it fails, and its `cost` is 0 from then on" },
    },
  },
  {
    id: "audits.sites",
    question: "Which sites can be audited, and where do the findings come from?",
    default: facts(
      "`example.com`, `http://example.com:8080/path?query` and the like, up to 2,048 characters. The default scheme is https; a fragment and a trailing dot of the host are dropped.",
      "Single-label names other than localhost, and URLs with a user name or password, are refused.",
      "The site is not contacted: the URL selects findings of `fixtures/audit-findings.json`, always the same ones.",
      "A critical finding takes 22 points off its category, a warning 9, an info 2; the score is the mean of the categories, with security counted twice.",
      "`github_repo_url` is used by deep audits only; the completion email goes to `{account}@standin.test`.",
    ),
    reason:
      "Without a network, a sandbox still has to return a plausible audit, and the same one in every run.",
  },
] as const satisfies readonly Assumption[];

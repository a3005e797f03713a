/** Interface: "Website audits": the record, its states and transitions, and its three operations; assumption audits. */

import type { Static } from "typebox";
import * as Type from "typebox";
import { refuse } from "../../contract/errors.js";
import { coded, exactly, id, naira, nullable, Timestamp } from "../../contract/schemas.js";
import { minute } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import type { RecordIn } from "../../world/records/machine.js";
import { newestRecords, requireRecord } from "../account-records.js";
import { isVerifiedHost } from "../domains/domains.js";
import { Ms, machine, record } from "../machine.js";
import { operation } from "../operation.js";
import { testValueOutcome } from "../test-values.js";
import { type AuditResults, assumed, drawAuditResults, Grade, resultFields, Score } from "./audit-results.js";

const identity = {
  id: id("aud_"),
  url: Type.String({ format: "uri", description: "Normalised URL of the audited site" }),
};

const account = { cost: naira(), created_at: Timestamp };

const deep = {
  tier: Type.Literal("deep"),
  active_tests_run: Type.Boolean({
    description: "Whether active security tests ran, which needs a verified domain",
  }),
};

const ready = { ...identity, status: Type.Literal("ready"), score: Score, grade: Grade };
const unscored = { score: Type.Null(), grade: Type.Null() };

export const StandardAudit = exactly({ ...ready, ...resultFields, ...account });

/** A deep audit when it is accepted. */
export const PendingAudit = exactly({
  ...identity,
  status: Type.Literal("pending"),
  ...unscored,
  ...deep,
  ...account,
});

const FailedAudit = exactly({
  ...identity,
  status: Type.Literal("failed", assumed),
  ...unscored,
  ...deep,
  ...account,
});

const DeepAudit = exactly({ ...ready, ...deep, ...resultFields, ...account });

export const Audit = Type.Union([StandardAudit, DeepAudit, PendingAudit, FailedAudit], {
  description: "A standard audit, or a deep one that is ready, pending or failed",
  ...assumed,
});

const AuditStatus = Type.Enum(["ready", "pending", "failed"]);

export const AuditSummary = exactly({
  ...identity,
  status: AuditStatus,
  score: nullable(Score, { description: "null while pending" }),
  grade: nullable(Grade, { description: "null while pending" }),
  ...account,
});

// Interface: "Website audit" in States and transitions; assumption audits.

/** Duration of a deep audit. */
const deepAuditMs = 4 * minute;

export const auditRecord = record(AuditSummary, {
  hidden: {
    tier: Type.Enum(["standard", "deep"]),
    active_tests_run: Type.Boolean(),
    /** Results of the audit. Null until it is ready. */
    results: nullable(Type.Unsafe<AuditResults>(Type.Object({}))),
    /** Final state of a deep audit. */
    outcome: Type.Enum(["ready", "failed"]),
    /** The results that a deep audit will have if it is ready. */
    outlook: nullable(Type.Unsafe<AuditResults>(Type.Object({}))),
    /** When a deep audit ends. Null for a standard audit. */
    ends_at: nullable(Ms),
    /** Whether the price is refunded if the audit fails; assumption audits.failed. Audits of version 0.1 do not say. */
    refunded_if_failed: Type.Boolean(),
  },
  view: {
    score: ({ results }) => results?.score ?? null,
    grade: ({ results }) => results?.grade ?? null,
  },
});
type AuditRecord = RecordIn<typeof auditRecord>;

const endsAs =
  (outcome: AuditRecord["outcome"]) =>
  (record: AuditRecord): number | null =>
    record.outcome === outcome ? record.ends_at : null;

function complete(record: AuditRecord, account: Account): void {
  record.results = record.outlook;
  sendCompletionEmail(record, account);
}

function fail(record: AuditRecord, account: Account): void {
  if (record.refunded_if_failed) {
    account.wallet.refund("audit_deep", record.cost);
    record.cost = 0;
  }
  sendCompletionEmail(record, account);
}

/** Formats an address without its scheme, so that mail clients turn only the audit's own URL into a link. */
const formatSite = (url: string): string => url.replace(/^https?:\/\//, "").replace(/\/$/, "");

/** Formats the host of an address, which has no secrets. */
const hostOf = (url: string): string => new URL(url).host;

const describeReady = ({ tier, url, results }: AuditRecord): string =>
  `The ${tier} audit of ${hostOf(url)} is ready: ${results?.score} of 100, grade ${results?.grade}.`;

/** Sends the email about a deep audit that has ended (interface: "a completion email is also sent for deep audits"). */
function sendCompletionEmail({ id, url, results, refunded_if_failed }: AuditRecord, account: Account): void {
  const link = `${account.baseUrl}/v1/audits/${id}`;
  const site = formatSite(url);
  const text = results
    ? `The deep audit of ${site} is ready: ${results.score} of 100, grade ${results.grade}. ${link}`
    : `The deep audit of ${site} could not be completed${refunded_if_failed ? "; its price has been refunded" : ""}. ${link}`;
  const to = `${account.id}@standin.test`;
  account.inbox.send({ channel: "email", to, from: "audits@standin.test", text, codes: [] });
}

/** Returns the audit as its reply shows it, with its tier if it is deep, and its results if it is ready. */
function viewAudit(record: AuditRecord): Static<typeof Audit> {
  const { tier, active_tests_run, results } = record;
  const { cost, created_at, ...summary } = auditRecord.view(record);
  const { score: _score, grade: _grade, ...rest } = results ?? {};
  return {
    ...summary,
    ...(tier === "deep" ? { tier, active_tests_run } : {}),
    ...rest,
    cost,
    created_at,
  } as Static<typeof Audit>;
}

export const audit = machine(
  { ...auditRecord, view: viewAudit },
  {
    name: "audit",
    prefix: "aud_",
    moves: {
      finish: { from: "new", to: "ready", says: describeReady },
      accept: {
        from: "new",
        to: "pending",
        says: ({ url }) => `The deep audit of ${hostOf(url)} was started.`,
      },
      complete: {
        from: "pending",
        to: "ready",
        at: endsAs("ready"),
        due: ({ url }) => `The deep audit of ${hostOf(url)} is ready.`,
        effect: complete,
        says: describeReady,
      },
      fail: {
        from: "pending",
        to: "failed",
        at: endsAs("failed"),
        due: ({ url }) => `The deep audit of ${hostOf(url)} fails.`,
        effect: fail,
        says: ({ url, refunded_if_failed }) =>
          `The deep audit of ${hostOf(url)} failed${refunded_if_failed ? ", and its price was refunded" : ""}.`,
      },
    },
  },
);

// URLs of audited sites in one notation.

const schemePattern = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Names with a dot, localhost, and IP addresses. */
const hostPattern = /^(?:localhost|\[[0-9a-f:.]+\]|(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+[a-z0-9-]+)\.?$/;

const ipv4Pattern = /^\d+(?:\.\d+){3}$/;
/** A literal IPv4 address; the URL parser would also accept 42 for 0.0.0.42. */
const ipv4UrlPattern = /^https?:\/\/\d+(?:\.\d+){3}\.?(?:[:/?#]|$)/i;

export interface Site {
  /** URL with scheme, in ASCII, without fragment and without a trailing dot of the host. */
  url: string;
  host: string;
}

/** Parses the URL of a site: `Example.com` is `https://example.com/`. Refuses any other text with validation_error. */
function parseSite(text: string): Site {
  const trimmed = text.trim();
  const address = schemePattern.test(trimmed) ? trimmed : `https://${trimmed}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  const named =
    url &&
    hostPattern.test(url.hostname) &&
    (!ipv4Pattern.test(url.hostname) || ipv4UrlPattern.test(address));
  if (!url || !named || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    const message = `url must be the address of a website, such as https://example.com; got ${JSON.stringify(text.slice(0, 80))}.`;
    return refuse("validation_error", { param: "url", message });
  }
  url.hash = "";
  url.hostname = url.hostname.replace(/\.$/, "");
  return { url: url.href, host: url.hostname };
}

const outcomes = {
  ready: "the audit completes and is scored",
  failed: "a deep audit cannot complete; a standard audit cannot have this outcome",
  url_unreachable: "the site does not answer: url_unreachable",
};

/** Maximum length of a URL, which every browser and server accepts. */
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
  refuses: ["url_unreachable"],
  outcomes,
  price: ({ body }) => (body.tier === "deep" ? "audit_deep" : "audit_standard"),
  freeFirst: ["audit_standard"],
  latency: ({ body }) => (body.tier === "deep" ? null : [15_000, 70_000]),
  assumptions: ["audits.failed", "audits.sites", "domains.scope"],

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

export const listAudits = operation({
  id: "listAudits",
  route: "GET /v1/audits",
  summary: "List audits, most recent first",
  description: "Summaries without findings; get an audit for its findings.",
  auth: "key",
  reply: { 200: Type.Array(AuditSummary) },
  assumptions: ["lists"],
  handle: ({ account }) => newestRecords(account, audit).map((record) => auditRecord.view(record)),
});

export const getAudit = operation({
  id: "getAudit",
  route: "GET /v1/audits/{id}",
  summary: "Get an audit",
  description: "Poll a deep audit until its status is ready or failed.",
  auth: "key",
  params: Type.Object({ id: Type.String({ description: "Id of the audit" }) }),
  reply: { 200: Audit },
  refuses: ["resource_not_found"],

  handle({ account, params: { id } }) {
    const wanted = { id, param: "id", noun: "audit", hint: "GET /v1/audits lists them" };
    return audit.view(requireRecord(account, audit, wanted));
  },
});

/** Explains an activity: its causes up to the root, and all effects of the root. */
import type { ComponentChildren } from "preact";
import type {
  ActivityEntry,
  ActivityExplanation,
  Recording,
  RequestEntry,
} from "../../../../client/account/types.js";
import { call, onlyItem } from "../../api/control.js";
import { useOutcomes } from "../../api/operations.js";
import { Action, Copy } from "../../pieces/button.js";
import { Json } from "../../pieces/code.js";
import { formatCurl, formatDay, formatKobo, formatName, formatTime, plural } from "../../pieces/format.js";
import { saveJson } from "../../pieces/json-file.js";
import { Detail, FactList, Loaded, later, Section, Tabs } from "../../pieces/layout.js";
import { notify } from "../../pieces/toasts.js";
import { type Resource, useResource } from "../../state/resource.js";
import { go, href, hrefHere, route } from "../../state/route.js";
import { baseUrl, serviceKey } from "../../state/session.js";
import { AssumptionLinks } from "../assumptions/assumptions.js";
import { CallStatus, foldRetries, kindNames, type Row, TitleText, toTree } from "./rows.js";

/** Maximum number of effects that are drawn: a scenario may have thousands. */
const maxEffects = 200;

/** Returns the path from the root to the activity, and the effects below it. */
const toNodes = ({ causes, activity, effects }: ActivityExplanation): Row[] => [
  ...[...causes, activity].map((node, depth) => ({ ...node, depth })),
  ...foldRetries(effects)
    .slice(0, maxEffects)
    .map((node) => ({ ...node, depth: (node.depth ?? 0) + causes.length })),
];

/** Returns the move that a due job made, or the activity itself. */
function headlineOf(explanation: ActivityExplanation): ActivityEntry {
  const { activity } = explanation;
  if (activity.kind !== "job") return activity;
  const moves = toTree(explanation).filter(({ kind }) => kind === "move");
  return moves.findLast(({ refs }) => refs.record === moves[0]?.refs.record) ?? activity;
}

const Picture = later(async () => (await import("../../pieces/story-picture.js")).ActivityPicture);

/** Returns the address of the explanation in another form. */
const hrefWith = (id: string, view: string | null): string =>
  href([route.value.screen, id], { ...Object.fromEntries(route.value.query), view });

export function ExplanationPanel({ id }: { id: string }) {
  const found: Resource<ActivityExplanation> = useResource(
    () => call("explainActivity", { params: { id } }),
    [id],
    (changed) => changed.id === id || isEffect(changed, found.data.value),
  );
  return (
    <Loaded of={found}>
      {(explanation) => {
        const { activity, effects } = explanation;
        const hidden = effects.length - maxEffects;
        const isPicture = route.value.query.get("view") === "picture";
        return (
          <Detail title={<TitleText activity={headlineOf(explanation)} />} back={hrefHere()}>
            <CallFacts activity={activity} />
            <div class="actions">
              <BackToHere activity={activity} />
              <SaveScenario since={activity.id} />
            </div>
            <Exchange activity={activity}>
              <Section title="Cause and effect">
                <Tabs
                  label="Form"
                  tabs={[
                    ["Tree", hrefWith(activity.id, null), !isPicture],
                    ["Picture", hrefWith(activity.id, "picture"), isPicture],
                  ]}
                />
                {isPicture ? (
                  <Picture explanation={explanation} />
                ) : (
                  <CauseTree nodes={toNodes(explanation)} id={activity.id} />
                )}
                {hidden > 0 && !isPicture && <p class="hint">And {hidden.toLocaleString("en")} more.</p>}
              </Section>
            </Exchange>
            <AssumptionLinks ids={activity.call?.assumptions ?? []} />
          </Detail>
        );
      }}
    </Loaded>
  );
}

/** Returns whether a new activity belongs to the explanation that is shown. */
const isEffect = ({ cause }: ActivityEntry, shown: ActivityExplanation | null): boolean =>
  shown !== null && [shown.activity, ...shown.effects].some(({ id }) => id === cause);

interface CauseTreeProps {
  nodes: readonly Row[];
  /** Id of the open activity. */
  id: string;
  /** Default: the activity on this screen. */
  hrefOf?(id: string): string;
}

/** The tree as an indented list, in which the open activity is marked. */
export const CauseTree = ({ nodes, id, hrefOf = hrefHere }: CauseTreeProps) => (
  <ol class="tree">
    {nodes.map((node) => (
      <li key={node.id} style={{ "--depth": node.depth }}>
        <a class="item" href={hrefOf(node.id)} aria-current={node.id === id ? "true" : undefined}>
          <span class={`hint kind kind-${node.kind}`}>{kindNames[node.kind]}</span>
          <TitleText activity={node} />
          {node.attempts && <span class="soft">{plural(node.attempts, "attempt")}</span>}
          <CallStatus activity={node} />
        </a>
      </li>
    ))}
  </ol>
);

const decisions = {
  header: "the header X-Sandbox-Outcome",
  rule: "a rule",
  "test-value": "a test value in the request",
  people: "the person's record",
  address: "what is known about the address",
  default: "default",
} as const;

/** The outcome of a call in words, with its name and what decided it. */
function Outcome({ activity: { refs, call } }: { activity: ActivityEntry }) {
  const describeOutcome = useOutcomes();
  if (!call?.outcome) return null;
  return (
    <>
      {describeOutcome(refs.operation ?? "", call.outcome)} <code class="hint">{call.outcome}</code>{" "}
      {`(${call.decided_by ? decisions[call.decided_by] : "nothing had to be decided"})`}
    </>
  );
}

/** Names the records that were changed. Internal rows of the sandbox have other ids. */
function formatChanges(wrote: ActivityEntry["wrote"]): ComponentChildren {
  const records = wrote.filter(({ id }) => /^[a-z]+_[0-9a-z]{20}$/.test(id));
  const names = records.map(({ table, id }) => `${formatName(table)} ${id}`);
  return names.length > 0 && <span class="hint">{names.join(", ")}</span>;
}

function CallFacts({ activity }: { activity: ActivityEntry }) {
  const { id, at, call, refs, wrote } = activity;
  const recordLink = (text: string | undefined) =>
    text ? <a href={href(["records", text])}>{text}</a> : null;
  return (
    <FactList
      rows={[
        ["Id", <code key="id">{id}</code>],
        ["At", `${formatTime(at)} UTC, ${formatDay(at)}`],
        [
          "Operation",
          refs.operation && (
            <>
              {call?.does} <code class="hint">{refs.operation}</code>
            </>
          ),
        ],
        ["Status", call?.status && `${call.status}${call.error_code ? ` ${call.error_code}` : ""}`],
        ["Outcome", call?.outcome && <Outcome activity={activity} />],
        ["Rule", call?.rule && <a href={href(["rules", call.rule])}>{call.rule}</a>],
        ["Fault", call?.fault],
        ["Took", call?.duration_ms === null || !call ? null : `${call.duration_ms} ms`],
        ["Cost", call && call.cost > 0 ? formatKobo(call.cost) : null],
        ["Record", recordLink(refs.record)],
        ["Delivery", refs.delivery && <a href={href(["webhooks", refs.delivery])}>{refs.delivery}</a>],
        ["Event", refs.event && <code>{refs.event}</code>],
        ["Message", refs.message && <code>{refs.message}</code>],
        ["Changed", formatChanges(wrote)],
      ]}
    />
  );
}

/** Takes the account back to the moment before the open activity. */
const BackToHere = ({ activity: { id } }: { activity: ActivityEntry }) => (
  <Action
    run={() => rewind(id)}
    title="Takes the account back to the moment before this activity. Everything since then is undone."
  >
    Back to here
  </Action>
);

async function rewind(to: string): Promise<void> {
  // The open activity will be gone.
  go(href(["activity"]));
  const { at, sent } = await call("rewindAccount", { body: { to } });
  const webhooks =
    sent.length === 0
      ? ""
      : ` Receivers keep the webhooks that they got (${sent.length}): they cannot be called back.`;
  notify(`The account is as it was before ${formatTime(at)} UTC.${webhooks}`);
}

/** Saves what happened since an activity as a scenario file. */
const SaveScenario = ({ since }: { since: string }) => (
  <Action run={() => save(since)}>Save as scenario</Action>
);

async function save(since: string): Promise<void> {
  const exported = await call("exportAccount", {
    params: { kind: "scenario" },
    query: { since, inline: true },
  });
  const { scenario, left_out } = exported as Recording;
  saveJson(scenario, "recorded.json");
  const omitted = left_out.length === 0 ? "" : ` Left out: ${left_out.join("; ")}.`;
  notify(
    `Everything since then is in recorded.json; standin scenario run recorded.json repeats it.${omitted}`,
  );
}

/** Matches headers that change what a request does. Other headers depend on the client. */
const meaningful = /^(?:content-type|authorization|idempotency-key|x-sandbox-(?!account|admin).*)$/i;

/** Formats a request of the journal as a curl command. Redacted values have to be filled in. */
function toCurl({ method, path, headers, body }: RequestEntry, key: string | null): string {
  const sent = Object.entries(headers).filter(([name]) => meaningful.test(name));
  if (!headers.Authorization) sent.unshift(["X-Service-Key", key ?? "YOUR_KEY"]);
  return formatCurl({ method, url: baseUrl + path, headers: sent, body });
}

/** Shows a request and its reply, with secrets redacted. `children` stand between the actions and the bodies. Other activities have no request. */
function Exchange({ activity, children }: { activity: ActivityEntry; children: ComponentChildren }) {
  const { id, kind } = activity;
  const read = useResource(
    () => (kind === "request" ? onlyItem(call("listRequests", { query: { id } })) : Promise.resolve(null)),
    [id, activity.call?.status],
  );
  const entry = read.data.value;
  return (
    <>
      {entry && <ExchangeActions activity={activity} entry={entry} />}
      {children}
      {entry?.body && (
        <Section title="Request">
          <Json value={entry.body} label="Request body" />
        </Section>
      )}
      {entry?.reply && (
        <Section title="Reply">
          <Json value={entry.reply} label="Reply body" />
        </Section>
      )}
    </>
  );
}

function ExchangeActions({ activity, entry }: { activity: ActivityEntry; entry: RequestEntry }) {
  const { operation } = activity.refs;
  const outcome = activity.call?.outcome ?? activity.call?.error_code;
  return (
    <div class="actions">
      <Copy text={toCurl(entry, serviceKey.value)} label="Copy as curl" hasEdge />
      {operation && (
        <>
          <a class="button" href={href(["rules", "new"], { on: operation, outcome })}>
            Save as rule
          </a>
          <a class="button" href={href(["activity", "try", operation], { from: entry.id })}>
            Try again
          </a>
        </>
      )}
    </div>
  );
}

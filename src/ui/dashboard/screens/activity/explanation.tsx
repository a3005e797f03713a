/** Explains an activity: its causes up to the root, and all effects of the root. */
import type { ActivityEntry, ActivityExplanation } from "../../../../client/account/types.js";
import { call } from "../../api/control.js";
import { formatDay, formatKobo, formatTime } from "../../pieces/format.js";
import { later } from "../../pieces/later.js";
import { Detail, FactList, Loaded, Section } from "../../pieces/layout.js";
import { Tabs } from "../../pieces/tabs.js";
import { type Resource, useResource } from "../../state/resource.js";
import { href, hrefHere, route } from "../../state/route.js";
import { AssumptionLinks } from "../assumptions/assumptions.js";
import { BackToHere } from "./back-to-here.js";
import { Exchange } from "./exchange.js";
import { CallStatus, kindNames, TitleText } from "./row.js";
import { SaveScenario } from "./save-scenario.js";

/** Maximum number of effects that are drawn: a scenario may have thousands. */
const maxEffects = 200;

type Node = ActivityEntry & { depth: number };

/** Returns the path from the root to the activity, and the effects below it. */
const toNodes = ({ causes, activity, effects }: ActivityExplanation): Node[] => [
  ...[...causes, activity].map((node, depth) => ({ ...node, depth })),
  ...effects.slice(0, maxEffects).map((node) => ({ ...node, depth: node.depth + causes.length })),
];

const Picture = later(async () => (await import("./picture.js")).default);

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
          <Detail title={<TitleText activity={activity} />} back={hrefHere()}>
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

/** Returns whether something that has just happened belongs below what is shown. */
const isEffect = ({ cause }: ActivityEntry, shown: ActivityExplanation | null): boolean =>
  shown !== null && [shown.activity, ...shown.effects].some(({ id }) => id === cause);

/** The tree as an indented list, in which the open activity is marked. */
const CauseTree = ({ nodes, id }: { nodes: readonly Node[]; id: string }) => (
  <ol class="tree">
    {nodes.map((node) => (
      <li key={node.id} style={{ "--depth": node.depth }}>
        <a href={hrefHere(node.id)} aria-current={node.id === id ? "true" : undefined}>
          <span class={`kind kind-${node.kind}`}>{kindNames[node.kind]}</span>
          <TitleText activity={node} />
          <CallStatus activity={node} />
        </a>
      </li>
    ))}
  </ol>
);

/** Describes the source of the outcome. */
function formatDecision({ call }: ActivityEntry): string | null {
  if (!call?.outcome) return null;
  const by = {
    header: "the header X-Sandbox-Outcome",
    rule: "a rule",
    "test-value": "a test value in the request",
    people: "the person's record",
    address: "what is known of the address",
    default: "default",
  };
  return `${call.outcome} (${call.decided_by ? by[call.decided_by] : "nothing had to be decided"})`;
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
        ["Operation", refs.operation && <code>{refs.operation}</code>],
        ["Status", call?.status && `${call.status}${call.error_code ? ` ${call.error_code}` : ""}`],
        ["Outcome", formatDecision(activity)],
        ["Rule", call?.rule && <a href={href(["rules", call.rule])}>{call.rule}</a>],
        ["Fault", call?.fault],
        ["Took", call?.duration_ms === null || !call ? null : `${call.duration_ms} ms`],
        ["Cost", call && call.cost > 0 ? formatKobo(call.cost) : null],
        ["Record", recordLink(refs.record)],
        ["Delivery", refs.delivery && <a href={href(["webhooks", refs.delivery])}>{refs.delivery}</a>],
        ["Event", refs.event && <code>{refs.event}</code>],
        ["Message", refs.message && <code>{refs.message}</code>],
        ["Wrote", wrote.length > 0 ? wrote.map(({ table, id }) => `${table} ${id}`).join(", ") : null],
      ]}
    />
  );
}

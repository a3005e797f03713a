/** Why something happened: its causes up to the root, and everything that the root caused. */
import type { ActivityEntry, ActivityExplanation } from "../../../library/types.js";
import { control } from "../../api/control.js";
import { formatDay, formatKobo, formatTime } from "../../pieces/format.js";
import { Detail, Facts, Loaded, Section } from "../../pieces/layout.js";
import { type Resource, useResource } from "../../state/resource.js";
import { href, hrefHere } from "../../state/route.js";
import { Exchange } from "./exchange.js";
import { CallStatus, kindNames, TitleText } from "./row.js";

interface Tree {
  activity: ActivityEntry;
  nodes: readonly (ActivityEntry & { depth: number })[];
}

/** Reads the tree that an activity is part of, from its root on. */
async function readTree(id: string): Promise<Tree> {
  const own = await control.explain(id);
  const [root] = own.causes;
  const whole: ActivityExplanation = root ? await control.explain(root.id) : own;
  return {
    activity: own.activity,
    nodes: [{ ...whole.activity, depth: 0 }, ...whole.effects],
  };
}

export function Explanation({ id }: { id: string }) {
  const tree: Resource<Tree> = useResource(
    () => readTree(id),
    [id],
    (changed) => changed.id === id || isWithin(changed, tree.data.value),
  );
  return (
    <Loaded of={tree}>
      {({ activity, nodes }) => (
        <Detail title={<TitleText activity={activity} />} back={hrefHere()}>
          <CallFacts activity={activity} />
          {activity.kind === "request" && <Exchange activity={activity} />}
          <Section title="Cause and effect">
            <CauseTree nodes={nodes} id={activity.id} />
          </Section>
        </Detail>
      )}
    </Loaded>
  );
}

const isWithin = ({ cause }: ActivityEntry, tree: Tree | null): boolean =>
  tree?.nodes.some((node) => node.id === cause) ?? false;

/** The tree as an indented list, in which the open activity is marked. */
const CauseTree = ({ nodes, id }: { nodes: Tree["nodes"]; id: string }) => (
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

/** What decided the outcome, in words. */
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
    <Facts
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
        ["Assumptions", call && call.assumptions.length > 0 ? call.assumptions.join(", ") : null],
      ]}
    />
  );
}

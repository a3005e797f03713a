/** The rules for future requests and deliveries. */
import { controlPath } from "../../../../contract/control-routes.js";
import { call } from "../../api/control.js";
import { useOutcomes, useSummaries } from "../../api/operations.js";
import { Action } from "../../pieces/button.js";
import { Json } from "../../pieces/code.js";
import { formatDay, formatTime, plural } from "../../pieces/format.js";
import { Detail, Empty, FactList, Section, Tag } from "../../pieces/layout.js";
import { ListScreen } from "../../pieces/list-screen.js";
import { useResource } from "../../state/resource.js";
import { go, href, hrefHere, route } from "../../state/route.js";
import { chosenAccount } from "../../state/session.js";
import { describeEffect, type ListedRule, NewRule } from "./new-rule.js";

export function RulesScreen() {
  const [open = null] = route.value.path;
  const read = useResource(
    () => call("listRules"),
    [chosenAccount.value],
    () => true,
  );
  const summaryOf = useSummaries();
  const describeOutcome = useOutcomes();
  return (
    <ListScreen
      of={read}
      label="Rules"
      openId={open}
      hrefOf={({ id }) => href(["rules", id])}
      toolbar={
        <>
          <a class="button primary" href={href(["rules", "new"])} data-filter>
            New rule
          </a>
          <span class="soft">The first rule that matches a request or webhook is applied.</span>
        </>
      }
      empty={<NoRules />}
      detail={(data) => {
        if (open === "new") return <NewRule />;
        return data && open && <OpenRule id={open} rule={data.items.find(({ id }) => id === open)} />;
      }}
    >
      {(rule) => (
        <RuleRow rule={rule} subject={summaryOf(rule.on)} effect={describeEffect(rule, describeOutcome)} />
      )}
    </ListScreen>
  );
}

const NoRules = () => (
  <Empty
    title="No rules"
    command={`curl ${location.origin}${controlPath("createRule")} -H "Content-Type: application/json" -d '{"on":"verifyBvn","outcome":"provider_unavailable","times":2}'`}
  >
    <p>
      Without rules, test values in a request decide its outcome, or it succeeds.{" "}
      <a href={href(["rules", "new"])}>Make a rule</a> to have the next calls fail, wait or lose their reply,
      or webhooks arrive late, twice or forged.
    </p>
  </Empty>
);

interface RuleRowProps {
  rule: ListedRule;
  /** Operation or event that the rule is about, in words. */
  subject: string;
  effect: string;
}

const RuleRow = ({ rule, subject, effect }: RuleRowProps) => (
  <span class="line">
    <b>{subject}</b>
    <span class="soft">{effect}</span>
    <span class="soft count">{rule.scenario}</span>
    <Tag tone={rule.stopped ? "bad" : rule.used > 0 ? "good" : "over"}>
      {rule.used === 0 ? "unused" : `used ${formatTimes(rule.used)}`}
    </Tag>
  </span>
);

const formatTimes = (count: number): string => (count === 1 ? "once" : plural(count, "time"));

function OpenRule({ id, rule }: { id: string; rule: ListedRule | undefined }) {
  const summaryOf = useSummaries();
  const describeOutcome = useOutcomes();
  if (!rule)
    return (
      <Detail title="This rule no longer exists" back={hrefHere()}>
        <p class="soft">{`${id} has been used up or deleted.`}</p>
      </Detail>
    );
  const { used, times, stopped, scenario, created_at } = rule;
  return (
    <Detail
      title={summaryOf(rule.on)}
      back={hrefHere()}
      actions={
        <Action
          look="danger"
          run={async () => {
            await call("deleteRule", { params: { id } });
            go(hrefHere());
          }}
        >
          Delete
        </Action>
      }
    >
      <FactList
        rows={[
          ["On", <code>{rule.on}</code>],
          ["Effect", describeEffect(rule, describeOutcome)],
          ["Used", `${used === 0 ? "not yet" : formatTimes(used)}${times === null ? "" : `, ${times} left`}`],
          ["Stopped", stopped],
          ["Scenario", scenario],
          ["Made", `${formatTime(created_at)} UTC, ${formatDay(created_at)}`],
          ["Id", <code>{id}</code>],
        ]}
      />
      <Section title="Rule">
        <Json value={rule} label="Rule" />
      </Section>
    </Detail>
  );
}

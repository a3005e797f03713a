/** Screen of the findings of conduct, with their proof: what the client did that would hurt it with the real service. */
import type { ConductReport } from "../../../../client/account/types.js";
import { call } from "../../api/control.js";
import { plural } from "../../pieces/format.js";
import { Empty, FactList, Loaded, Section, Tag } from "../../pieces/layout.js";
import { ofKinds, useResource } from "../../state/resource.js";
import { href } from "../../state/route.js";
import { chosenAccount } from "../../state/session.js";

type ReportedFinding = ConductReport["findings"][number];

/** Judges the account, again after each request and webhook attempt. */
export const useConduct = () =>
  useResource(
    () => call("getConduct", { query: { scope: "account" } }),
    [chosenAccount.value],
    ofKinds("request", "attempt"),
  );

export function ConductScreen() {
  const read = useConduct();
  return (
    <Loaded of={read}>
      {({ findings, judged, rules }) =>
        findings.length === 0 ? (
          <Empty
            title={
              judged.requests === 0 ? "Nothing has been judged yet" : "Nothing to report about the client"
            }
          >
            <p>{`${plural(judged.requests, "request")} and ${plural(judged.deliveries, "webhook")} were judged by ${rules.length} rules of conduct.`}</p>
            <p>
              Most rules are broken only when something goes wrong. <code>standin exam</code> brings that
              about, and so does <a href={href(["rules", "new"])}>a rule</a>.
            </p>
          </Empty>
        ) : (
          <div class="page">
            {findings.map((finding) => (
              <FindingSection key={`${finding.rule} ${finding.about}`} finding={finding} />
            ))}
          </div>
        )
      }
    </Loaded>
  );
}

const FindingSection = ({ finding }: { finding: ReportedFinding }) => {
  const { rule, title, about, happened, count, reason, right, evidence } = finding;
  return (
    <Section title={title} level={2}>
      <FactList
        rows={[
          ["Where", <code>{about}</code>],
          ["What happened", happened],
          ["How often", count > 1 && `${count} times`],
          ["Why it matters", reason],
          ["What is right", right],
          ["Proof", evidence.map((id) => <ProofLink key={id} id={id} />)],
          ["Rule", <Tag tone="bad">{rule}</Tag>],
        ]}
      />
    </Section>
  );
};

const ProofLink = ({ id }: { id: string }) => (
  <>
    <a class="mono" href={href([id.startsWith("req_") ? "activity" : "webhooks", id])}>
      {id}
    </a>{" "}
  </>
);

/** Link to the findings, with their number, if there are any. A narrow screen shows the number alone. */
export const ConductLink = ({ findings: { length } }: { findings: readonly ReportedFinding[] }) =>
  length > 0 && (
    <a
      class="button"
      href={href(["conduct"])}
      aria-label={`Conduct ${length}`}
      title="What would hurt the client with the real service"
    >
      <span class="wide-only">Conduct</span>
      <Tag tone="bad">{length}</Tag>
    </a>
  );

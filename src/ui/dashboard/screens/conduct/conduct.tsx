/** Screen of the findings of conduct, with their proof: actions of the client that would hurt it with the real service. */
import type { ConductReport } from "../../../../client/account/types.js";
import { call } from "../../api/control.js";
import { plural } from "../../pieces/format.js";
import { Detail, Empty, FactList, Tag } from "../../pieces/layout.js";
import { ListScreen } from "../../pieces/list-screen.js";
import { ofKinds, useResource } from "../../state/resource.js";
import { href, hrefHere, route } from "../../state/route.js";
import { chosenAccount } from "../../state/session.js";

type ReportedFinding = ConductReport["findings"][number];

/** Judges the account, again after each request and webhook attempt. */
export const useConduct = () =>
  useResource(
    async () => {
      const report = await call("getConduct", { query: { scope: "account" } });
      return {
        ...report,
        items: report.findings.map((found) => ({ ...found, id: `${found.rule} ${found.about}` })),
      };
    },
    [chosenAccount.value],
    ofKinds("request", "attempt"),
  );

export function ConductScreen() {
  const [open = null] = route.value.path;
  const read = useConduct();
  return (
    <ListScreen
      of={read}
      label="Findings of conduct"
      openId={open}
      hrefOf={({ id }) => hrefHere(id)}
      empty={read.data.value && <NoFindings report={read.data.value} />}
      detail={(data) => {
        const finding = data?.items.find(({ id }) => id === open);
        return finding && <OpenFinding key={finding.id} finding={finding} />;
      }}
    >
      {({ title, about, count }) => (
        <span class="line">
          <b>{title}</b>
          <span class="soft mono">{about}</span>
          <Tag tone="bad">{plural(count, "time")}</Tag>
        </span>
      )}
    </ListScreen>
  );
}

const NoFindings = ({ report: { judged, rules } }: { report: ConductReport }) => (
  <Empty title={judged.requests === 0 ? "No client has called yet" : "Nothing to report about the client"}>
    <p>{`${plural(judged.requests, "request")} and ${plural(judged.deliveries, "webhook")} were judged by ${rules.length} rules of conduct.`}</p>
    <p>
      They look for what would hurt a client with the real service, such as a payout that is sent twice. Most
      are broken only when something goes wrong: <code>standin exam</code> brings that about, and so does{" "}
      <a href={href(["rules", "new"])}>a rule</a>.
    </p>
  </Empty>
);

function OpenFinding({ finding }: { finding: ReportedFinding }) {
  const { rule, title, about, happened, count, reason, right, evidence } = finding;
  return (
    <Detail title={title} back={hrefHere()}>
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
    </Detail>
  );
}

const ProofLink = ({ id }: { id: string }) => (
  <>
    <a class="mono" href={href([id.startsWith("req_") ? "activity" : "webhooks", id])}>
      {id}
    </a>{" "}
  </>
);

/** Links to the findings and shows their number, if there are any. A narrow screen shows only the number. */
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

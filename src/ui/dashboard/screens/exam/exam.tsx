/**
 * The card of an exam. An exam has its own sandbox, often in CI, which ends with it. What remains is the file of the card, which
 * this screen opens. The card stays in this tab.
 */
import { signal } from "@preact/signals";
import { type ExamGrade, examGrades } from "../../../../contract/exam-grades.js";
import { Code } from "../../pieces/code.js";
import { formatLongDuration, plural } from "../../pieces/format.js";
import { parseTypedObject } from "../../pieces/json-file.js";
import { Detail, Empty, FactList, Section, Tag, type Tone } from "../../pieces/layout.js";
import { ListScreen } from "../../pieces/list-screen.js";
import { notifyError } from "../../pieces/toasts.js";
import type { Resource } from "../../state/resource.js";
import { hrefHere, route } from "../../state/route.js";

/** The parts of a card that are shown. */
interface Card {
  command: readonly string[];
  grade: ExamGrade | null;
  duration_ms: number;
  runs: number;
  tried: readonly unknown[];
  not_tried: readonly unknown[];
  findings: readonly Finding[];
}

interface Finding {
  id: string;
  class: string;
  subject: string;
  title: string;
  right: string;
  accepted: string | null;
  output: readonly string[];
  reproduce: string;
}

const tones: Readonly<Record<ExamGrade, Tone>> = { A: "good", B: "wait", C: "wait", D: "bad" };

type OpenedCard = Card & { items: readonly Finding[] };

const opened: Resource<OpenedCard> & { data: { value: OpenedCard } } = {
  data: signal<OpenedCard>({
    command: [],
    grade: null,
    duration_ms: 0,
    runs: 0,
    tried: [],
    not_tried: [],
    findings: [],
    items: [],
  }),
  error: signal(null),
  reload: async () => {},
};

/** Opens the file of a card. Rejects if it is no card. */
async function openCard(file: File): Promise<void> {
  const card = parseTypedObject(await file.text(), file.name) as unknown as Card;
  if (![card.findings, card.tried, card.not_tried, card.command].every(Array.isArray))
    throw new Error(`${file.name} is not the card of an exam. standin exam --card FILE writes one.`);
  opened.data.value = { ...card, items: card.findings };
}

const isOpen = () => opened.data.value.runs > 0;

export function ExamScreen() {
  const [open = null] = route.value.path;
  return (
    <ListScreen
      of={opened}
      label="Findings of the exam"
      openId={open}
      hrefOf={({ id }) => hrefHere(id)}
      toolbar={isOpen() && <CardFile label="Open another card" />}
      above={(card) => <Grade card={card} />}
      empty={isOpen() ? <Grade card={opened.data.value} /> : <NoCard />}
      detail={(card) => {
        const finding = card?.items.find(({ id }) => id === open);
        return finding && <OpenFinding key={finding.id} finding={finding} />;
      }}
    >
      {({ title, subject, accepted }) => (
        <span class="line">
          <b>{title}</b>
          <span class="soft mono">{subject}</span>
          {accepted !== null && <Tag>accepted</Tag>}
        </span>
      )}
    </ListScreen>
  );
}

const CardFile = ({ label }: { label: string }) => (
  <label class="button primary">
    {label}
    <input
      type="file"
      class="visually-hidden"
      accept="application/json,.json"
      onChange={({ currentTarget }) => {
        const [file] = currentTarget.files ?? [];
        if (file) openCard(file).catch(notifyError);
      }}
    />
  </label>
);

const NoCard = () => (
  <Empty title="No report card is open" command="npx standin exam --card card.json -- npm test">
    <p>
      An exam runs the tests of your client again and again while the service does what it may do: late,
      twice, never, in another order. Its report card says what the client does not survive.
    </p>
    <p>
      <CardFile label="Open a card" />
    </p>
  </Empty>
);

function Grade({ card: { grade, command, runs, duration_ms, tried, not_tried } }: { card: Card }) {
  const isGraded = grade !== null && Object.hasOwn(examGrades, grade);
  const tone = isGraded ? tones[grade] : "over";
  const meaning = isGraded ? examGrades[grade] : "not graded: nothing was tried";
  const count = tried.length + not_tried.length;
  return (
    <section class="playing" aria-label="Grade">
      <p class="grow">
        <Tag tone={tone}>{grade ?? "–"}</Tag> <b>{meaning}</b>{" "}
        <span class="soft">
          {`${tried.length} of ${count} tried, ${plural(runs, "run")} in ${formatLongDuration(duration_ms)}: `}
          <code>{command.join(" ")}</code>
        </span>
      </p>
    </section>
  );
}

const OpenFinding = ({ finding }: { finding: Finding }) => (
  <Detail title={finding.title} back={hrefHere()}>
    <FactList
      rows={[
        ["About", <code>{finding.subject}</code>],
        ["What is right", finding.right],
        ["Accepted", finding.accepted],
        ["Id", <code>{finding.id}</code>],
      ]}
    />
    <Section title="See it again">
      <Code text={finding.reproduce} label="Command" />
    </Section>
    {finding.output.length > 0 && (
      <Section title="Last lines of the command">
        <Code text={finding.output.join("\n")} label="Output" />
      </Section>
    )}
  </Detail>
);

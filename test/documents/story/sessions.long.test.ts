/** Stories of random sessions: every activity is drawn once, in the order of the clock, for whatever happens. */
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { formatSvg } from "../../../src/documents/story/picture.js";
import { formatMermaid, isPause, tell, toStory } from "../../../src/documents/story/story.js";
import { startReceiver } from "../../support/receiver.js";
import { propertyRuns, upTo } from "../../support/repetitions.js";
import { useSandbox } from "../../support/sandbox.js";
import { freshCourse, steps } from "../../support/session.js";
import { frozenAt } from "../../support/snapshots.js";

const sandbox = useSandbox();

test(
  "every activity of a random session is drawn once, and so is every activity of its explanations",
  upTo(30),
  async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const session = fc.array(steps(receiver.url), { minLength: 1, maxLength: 8, size: "max" });
    await fc.assert(
      fc.asyncProperty(session, async (drawn) => {
        const account = sandbox.account();
        await account.clock.freeze(frozenAt);
        const course = { ...freshCourse };
        for (const step of drawn) await step(account, course);
        const all = (await account.activity.list({ limit: 1_000 })).reverse();
        const roots = all.filter(({ cause }) => cause === null).slice(-3);
        const explained = await Promise.all(roots.map(({ id }) => account.activity.explain(id)));
        const told = [
          { story: tell(all), entries: all },
          ...explained.map((explanation) => ({
            story: toStory(explanation),
            entries: [...explanation.causes, explanation.activity, ...explanation.effects],
          })),
        ];
        for (const { story, entries } of told) {
          const rows = story.rows.flatMap((row) => (isPause(row) ? [] : [row]));
          expect(rows.flatMap(({ ids }) => ids).sort()).toEqual(entries.map(({ id }) => id).sort());
          const times = rows.map(({ from }) => from);
          expect(times).toEqual(times.toSorted((one, other) => one - other));
          const between = new Set(rows.flatMap(({ lines }) => lines.flatMap(({ from, to }) => [from, to])));
          expect(between).toEqual(new Set(story.lanes));
          expect(formatSvg(story, "A session").match(/<g class="step"/g) ?? []).toHaveLength(rows.length);
          expect(formatMermaid(story)).toMatch(/^sequenceDiagram\n/);
        }
        await account.reset();
      }),
      propertyRuns(25, 1_000),
    );
  },
);

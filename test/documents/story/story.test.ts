/** Stories of activities: who takes part, in which order, and each activity once. test/scenarios/files.test.ts has those of scenarios. */
import { describe, expect, test } from "vitest";
import type { ActivityEntry } from "../../../src/client/account/types.js";
import { formatSvg } from "../../../src/documents/story/picture.js";
import {
  formatMermaid,
  formatSteps,
  isPause,
  type Story,
  type StoryStep,
  tell,
  toStory,
} from "../../../src/documents/story/story.js";
import type { SandboxAccount } from "../../../src/index.js";
import { formatLength } from "../../../src/time/instants.js";
import { startReceiver } from "../../support/receiver.js";
import { post, useListeningSandbox } from "../../support/sandbox.js";
import { parseElement } from "../../support/xml.js";

const sandbox = useListeningSandbox();

const frozenAt = "2030-01-01T10:00:00.000Z";

const stepsOf = ({ rows }: Story): StoryStep[] => rows.filter((row): row is StoryStep => !isPause(row));
const idsOf = (story: Story): string[] => stepsOf(story).flatMap(({ ids }) => ids);

/** A payout whose webhook the receiver refuses several times. */
async function retriedPayout(account: SandboxAccount) {
  const hook = await startReceiver((count, response) => response.writeHead(count < 5 ? 500 : 200).end());
  await account.scenario.load({
    name: "settled",
    given: {
      payout_account: { bank_code: "058", account_number: "0123456789" },
      payments: [{ amount: 20_000, settled: true }],
    },
  });
  await account.clock.freeze(frozenAt);
  await post(account, "/v1/webhooks", { url: hook.url, events: ["payout.paid"] });
  const { headers } = await post(account, "/v1/business/payouts", { amount: 7_000 });
  await account.advance("1h");
  await hook.close();
  return account.activity.explain(headers.get("x-request-id") as string);
}

const entry = {
  id: "req_1",
  at: frozenAt,
  kind: "request",
  title: "GET /v1/balance?a=1;b=#<x>",
  cause: null,
  refs: {},
  call: null,
  move: null,
  attempt: null,
  wrote: [],
} satisfies ActivityEntry;

describe("the story of a payout", () => {
  test("goes from the client to the bank and the receiver, with retries as one step and pauses between", async () => {
    const story = toStory(await retriedPayout(sandbox.account()));
    expect(story.lanes).toEqual(["client", "service", "bank", "receiver"]);
    const text = formatSteps(story).map((line) => line.replaceAll(/(?:po|evt)_\w+|\d+ ms/g, "…"));
    expect(text[0]).toBe("10:00:00 client to service: POST /v1/business/payouts");
    expect(text).toContainEqual(expect.stringMatching(/^10:00:00 service to client: 201/));
    expect(text).toContainEqual(expect.stringMatching(/bank to service: /));
    expect(text).toContainEqual(expect.stringMatching(/ later$/));
    expect(text.filter((line) => line.includes("receiver to service: 500"))).not.toEqual([]);
    expect(text.at(-1)).toMatch(/receiver to service: 200$/);
  });

  test("has every activity of the explanation once", async () => {
    const explanation = await retriedPayout(sandbox.account());
    const { causes, activity, effects } = explanation;
    const all = [...causes, activity, ...effects].map(({ id }) => id);
    expect(idsOf(toStory(explanation)).sort()).toEqual(all.sort());
  });

  test("is text for documents, in which nothing of the labels is taken for a sign", async () => {
    const story = tell([entry]);
    expect(formatMermaid(story)).toBe(
      "sequenceDiagram\n  participant client\n  participant service\n  client->>service: GET /v1/balance?a=1#59;b=#35;#60;x#62;\n",
    );
    expect(formatSvg(story, "A & B")).toContain("<title>A &amp; B</title>");
    expect(formatSvg(story, "A")).not.toContain("<x>");
  });

  test("is well-formed XML where a text has characters that XML does not have", async () => {
    const story = tell([{ ...entry, title: "GET /v1/\u0001\ud800?a=\uffff" }]);
    const texts = JSON.stringify(parseElement(formatSvg(story, "A\u0000")));
    expect(texts).toContain("GET /v1/\ufffd\ufffd?a=\ufffd");
    expect(texts).toContain("A\ufffd");
  });
});

test.each([
  [0, "0 ms"],
  [900, "900 ms"],
  [61_000, "1 min 1 s"],
  [119_700, "2 min"],
  [2_160_000, "36 min"],
  [93_600_000, "1 d 2 h"],
  [93_784_000, "1 d 2 h"],
])("%d ms are %s", (ms, text) => expect(formatLength(ms)).toBe(text));

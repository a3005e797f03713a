/** How scenario runs end, and where their files come from. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();
const start = { call: "POST /v1/phone/verify/start", body: { phone: "+2348031234567" } };

async function walk(story: { steps: object[] }, options = {}) {
  const result = await sandbox.account().scenario.run({ name: "A walk", ...story }, options);
  return { ...result, problems: result.steps.flatMap(({ problems }) => problems) };
}

test("the first failed step ends the run, and the remaining steps are counted as skipped", async () => {
  const reported: string[] = [];
  const onStep = ({ step, passed }: { step: number; passed: boolean }) => reported.push(`${step} ${passed}`);
  const steps = [
    start,
    { ...start, say: "Nobody is there", expect: { status: 404 } },
    start,
    { advance: "1h" },
  ];
  const result = await walk({ steps }, { onStep });
  expect(result).toMatchObject({
    name: "A walk",
    passed: false,
    skipped: 2,
    steps: [
      { step: 1, kind: "call", title: "POST /v1/phone/verify/start", passed: true, problems: [] },
      {
        step: 2,
        kind: "call",
        title: "Nobody is there",
        passed: false,
        problems: ["status should be 404 and is 201"],
      },
    ],
  });
  expect(reported).toEqual(["1 true", "2 false"]);
});

test("a file is given by its bytes or by the name of a fixture", async () => {
  const bytes = await readFile(new URL("../../fixtures/files/id-card.png", import.meta.url));
  const asked: string[] = [];
  const readFixture = (name: string) => {
    asked.push(name);
    return Promise.resolve(bytes);
  };
  const document = (file: object, expected: object) => ({
    call: "POST /v1/verify/document",
    files: { file: { name: "adaeze-licence.png", ...file } },
    expect: expected,
  });
  const read = { status: 200, body: { data: { full_name: "/Adaeze .+/" } } };
  const steps = [
    document({ fixture: "mine.png" }, read),
    document({ base64: bytes.toString("base64") }, read),
    document({ text: "no picture" }, { status: "/4\\d\\d/" }),
  ];
  expect((await walk({ steps }, { readFixture })).problems).toEqual([]);
  expect(asked).toEqual(["mine.png"]);
});

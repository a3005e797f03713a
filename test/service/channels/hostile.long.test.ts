import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { anyText, hostileTexts, hostileValues } from "../../support/hostile.js";
import { propertyRuns, shareOf } from "../../support/repetitions.js";
import { call, type Reply, useSandbox } from "../../support/sandbox.js";
import { channelsPath, type Line, mainLine, newLine, person } from "./line.js";

const sandbox = useSandbox();

afterEach(() => {
  expect(sandbox.warnings).toEqual([]);
  expect({}).not.toHaveProperty("polluted");
});

/** Expects a success or a refusal with a message, and no server error. */
function expectHeldUp({ status, body }: Reply): void {
  expect(status).toBeLessThan(500);
  if (status >= 400) expect(body.error.code).not.toBe("internal_error");
}

/** Valid bodies by path, of which each field is corrupted in turn. */
const bodies = (line: Line): Record<string, Record<string, unknown>> => ({
  [channelsPath]: { label: "Support" },
  [`${channelsPath}/${line.id}/send`]: { to: person, text: "Hello" },
  [`${channelsPath}/${line.id}/otp`]: {
    to: person,
    brand: "Ada",
    length: 6,
    ttl_minutes: 10,
    reference: "r",
  },
  [`${channelsPath}/${line.id}/otp/verify`]: { to: person, code: "123456" },
  [`${channelsPath}/${line.id}/verify-identity`]: {
    ...{ to: person, question: "Who?", expected: "Me", reference: "r", ttl_minutes: 5, max_attempts: 2 },
  },
  "/_sandbox/inbox/reply": { channel_id: line.id, from: person, text: "Hello" },
});

/** Returns a JSON body in which one field is this JSON text. */
const spoilt = (body: Record<string, unknown>, field: string, value: string): string =>
  `{${Object.entries(body)
    .filter(([name]) => name !== field)
    .map(([name, right]) => `${JSON.stringify(name)}:${JSON.stringify(right)},`)
    .join("")}${JSON.stringify(field)}:${value}}`;

test("every field of every call tolerates any value, on a connected channel", async () => {
  const line = await mainLine(sandbox.account());
  let turn = 0;
  for (const [path, body] of Object.entries(bodies(line)))
    for (const field of [...Object.keys(body), "image", "document"])
      for (const value of shareOf(hostileValues, 8, turn++))
        expectHeldUp(await call(line.account, "POST", path, spoilt(body, field, value)));
});

test("files in messages tolerate any field values", async () => {
  const line = await mainLine(sandbox.account());
  await line.hears("Hello");
  const file = { link: "https://shop.example/a.pdf", filename: "a.pdf", caption: "A" };
  let turn = 0;
  for (const kind of ["image", "document"])
    for (const field of Object.keys(file))
      for (const value of shareOf(hostileValues, 4, turn++)) {
        const body = `{"to":${JSON.stringify(person)},"${kind}":${spoilt(file, field, value)}}`;
        expectHeldUp(await call(line.account, "POST", `${channelsPath}/${line.id}/send`, body));
      }
});

test("ids in paths tolerate any value", async () => {
  const line = await mainLine(sandbox.account());
  for (const text of [...hostileTexts, "slot_0", "count", `${line.id}%00`, `${line.id}:${person}`]) {
    expectHeldUp(await call(line.account, "POST", `${channelsPath}/${text}/connect`));
    expectHeldUp(await call(line.account, "POST", `${channelsPath}/${text}/otp`, { to: person }));
    expectHeldUp(await line.ask("GET", `/verify-identity/${text}`));
  }
});

test("moves by hand tolerate any input", async () => {
  const account = sandbox.account();
  const line = await mainLine(account);
  const other = await newLine(account);
  await other.connect();
  const question = await line.question();
  const moves: [id: string, move: string, field: string][] = [
    [line.id, "connect_website", "url"],
    [question, "answer", "text"],
    [other.id, "scan", "phone"],
  ];
  for (const [turn, [id, move, field]] of moves.entries())
    for (const value of shareOf(hostileValues, 3, turn)) {
      const path = `/_sandbox/records/${id}/moves/${move}`;
      expectHeldUp(await call(account, "POST", path, `{${JSON.stringify(field)}:${value}}`));
    }
});

const text = fc.oneof(anyText, fc.string({ unit: "grapheme" }));

/** Asks a question that expects one text and answers with the other. */
async function judged(account: SandboxAccount, expected: string, answer: string): Promise<string | null> {
  const line = await mainLine(account);
  const asked = await line.askIdentity({ expected });
  expectHeldUp(asked);
  if (asked.status !== 201) return null;
  const path = `/_sandbox/records/${asked.body.id}/moves/answer`;
  const answered = await call(account, "POST", path, { text: answer });
  expectHeldUp(answered);
  return answered.status === 200 ? answered.body.state : null;
}

test("any expected text is its own right answer, and a longer text is not", async () => {
  const account = sandbox.account();
  await fc.assert(
    fc.asyncProperty(text, async (expected) => {
      expect(await judged(account, expected, expected)).not.toBe("pending");
      expect(await judged(account, expected, `${expected}q`)).not.toBe("verified");
    }),
    propertyRuns(10, 200),
  );
});

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { filesBelow, freshFolder, startOn } from "../../support/folder.js";
import { useSandbox } from "../../support/sandbox.js";
import { mainLine } from "./line.js";

const sandbox = useSandbox();

/** Texts that an attacker would search for: the answer as given, as compared, and unsalted hashes of it. */
const expected = "Ọlábísí-Distinctánswer O’Néill";
const normal = "ọlábísídistinctánsweronéill";
const folded = "olabisidistinctansweroneill";
const words = ["Ọlábísí", "Distinctánswer", "Néill"];
const forms = [expected, normal, folded, ...words].flatMap((text) => [text, text.normalize("NFD")]);
const secrets = forms.flatMap((text) => [
  text,
  encodeURIComponent(text),
  JSON.stringify(text).slice(1, -1),
  Buffer.from(text).toString("base64"),
  Buffer.from(text).toString("hex"),
  ...["sha256", "sha1", "md5", "sha512"].flatMap((algorithm) =>
    (["hex", "base64"] as const).map((form) => createHash(algorithm).update(text).digest(form)),
  ),
]);
interface Kept {
  expected: { salt: string; hash: string };
}

const secretsIn = (text: string): string[] => secrets.filter((secret) => text.includes(secret));

test("the expected answer is never on disk or in the program's output, whatever the result", async () => {
  const folder = freshFolder();
  const program = await startOn(folder);
  const account = program.account("svc_test_expected");
  const line = await mainLine(account);
  await line.move(line.id, "connect_website", { url: "http://127.0.0.1:9/" });
  const verified = await line.question({ expected });
  await line.move(verified, "answer", { text: "Chidi" });
  await line.hears(expected);
  expect(await line.result(verified)).toMatchObject({ status: "verified", attempts: 2 });
  await line.question({ expected });
  expect((await line.askIdentity({ expected, ttl_minutes: 0 })).status).toBe(400);
  expect((await line.askIdentity({ expected: [expected] })).status).toBe(400);
  expect((await line.askIdentity({ expected }, { "X-Sandbox-Outcome": "internal_error" })).status).toBe(500);
  await line.move(line.id, "disconnect");
  expect((await line.askIdentity({ expected })).status).toBe(409);
  await account.advance("2h");

  const everywhere = () =>
    [...filesBelow(folder).values()]
      .map((bytes) => Buffer.from(bytes, "latin1").toString("utf8"))
      .join("\n") +
    program.stdout() +
    program.stderr();
  expect(everywhere()).toContain(verified);
  expect(secretsIn(everywhere())).toEqual([]);
  expect(await program.stop()).toBe(0);
  expect(secretsIn(everywhere())).toEqual([]);
});

test("the expected answer is not in anything that the sandbox shows: snapshot, record, events, requests", async () => {
  const account = sandbox.account();
  const line = await mainLine(account);
  await line.move(line.id, "connect_website", { url: "http://127.0.0.1:9/" });
  const id = await line.question({ expected });
  await line.askIdentity({ expected, ttl_minutes: 0 });
  await line.askIdentity({ expected: `${expected} `.repeat(100), to: 7 });
  await line.hears(expected);
  const [answer] = await account.inbox.list({ to: line.id });
  expect(answer?.text).toBe(expected);
  const shown = await Promise.all([
    account.snapshot(),
    account.records.get(id),
    account.events.list(),
    account.deliveries.list(),
    account.requests.list(),
    account.activity.list(),
  ]);
  expect(secretsIn(JSON.stringify(shown))).toEqual([]);
  expect(JSON.stringify(shown)).toContain('"expected":{"salt":"');
  expect(JSON.stringify(shown)).toContain(`[answer to ${id}]`);
});

test("two questions with the same expected answer cannot be recognised as such", async () => {
  const account = sandbox.account();
  const line = await mainLine(account);
  const ids = [await line.question({ expected }), await line.question({ expected })];
  const kept = (await account.snapshot()).state.identity_check as Record<string, Kept>;
  const [one, other] = ids.map((id) => kept[id]?.expected);
  expect(one?.salt).not.toBe(other?.salt);
  expect(one?.hash).not.toBe(other?.hash);
});

import fc from "fast-check";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { type SandboxAccount, startSandbox } from "../../src/index.js";
import { startReceiver } from "../support/receiver.js";
import { propertyRuns } from "../support/repetitions.js";
import { call, post, startPhone, useSandbox } from "../support/sandbox.js";
import {
  busyAccount,
  bytesOf,
  type Forge,
  forged,
  forgedAt,
  frozenAt,
  putSnapshot,
  shown,
} from "../support/snapshots.js";

const sandbox = useSandbox();
const other = useSandbox({ validateReplies: false, warn() {} });
afterEach(() => expect(sandbox.warnings).toEqual([]));

/** Expects a refusal with this parameter and message, and an unchanged account. */
async function expectRefused(
  account: SandboxAccount,
  document: string,
  where: string,
  says: string | RegExp,
) {
  await account.clock.freeze();
  const before = await bytesOf(account);
  const { status, body } = await putSnapshot(account, document);
  expect([status, body.error.code], body.error.message).toEqual([400, "validation_error"]);
  expect(body.error.message).toMatch(says);
  expect(body.error.param.startsWith(where), body.error.param).toBe(true);
  expect(await bytesOf(account)).toBe(before);
}

describe("a document is refused", () => {
  test.each(["", "{}", '{"standin":null}', '{"standin":{"format":1}}', '{"items":[]}'])(
    "that is not a snapshot: %s",
    (body) => expectRefused(sandbox.account(), body, "standin", /not a snapshot.*GET \/_sandbox\/snapshot/),
  );

  test("that is truncated", async () => {
    const account = await busyAccount(sandbox.account());
    const bytes = await bytesOf(account);
    const { status, body } = await putSnapshot(account, bytes.slice(0, -10));
    expect([status, body.error.code]).toEqual([400, "malformed_json"]);
    expect(await bytesOf(account)).toBe(bytes);
  });

  test("that is cut off anywhere, or followed by something", async () => {
    const account = sandbox.account();
    await account.clock.freeze();
    const bytes = await bytesOf(account);
    const documents = Array.from({ length: 49 }, (_, i) => bytes.slice(0, ((i + 1) / 50) * bytes.length));
    for (const document of [...documents, `${bytes}}`, `${bytes}{}`, `${bytes},`]) {
      const { status, body } = await putSnapshot(account, document);
      expect([status, body.error.code], document).toEqual([400, "malformed_json"]);
    }
  });

  const reversed = (table: object) => Object.fromEntries(Object.entries(table).reverse());
  test.each<[string, Forge]>([
    ["a balance", ({ state }) => Object.assign(state.account.wallet, { balance: 1 })],
    ["the order of its records", ({ state }) => Object.assign(state, { inbox: reversed(state.inbox) })],
    ["the instant", ({ clock }) => Object.assign(clock, { now: "2031-01-01T00:00:00.000Z" })],
    ["the list of tables", ({ state }) => Object.assign(state, { others: {} })],
    ["the checksum", (document) => Object.assign(document, { checksum: "0".repeat(64) })],
    ["the checksum, by removing it", (document) => delete document.checksum],
  ])("that was changed without updating its checksum: %s", async (_what, change) => {
    const account = await busyAccount(sandbox.account());
    const snapshot = await account.snapshot();
    change(snapshot);
    await expectRefused(account, JSON.stringify(snapshot), "checksum", "checksum does not match");
  });

  const ofAnotherMajor =
    /^This snapshot was written by standin 2\.x; this is 0\.\d+\.\d+\. Take it again with 0\.x/;
  const ofTheOtherMode =
    /^A snapshot of a live account cannot be restored with a test key; use a live key\.$/;
  test.each<[string, unknown, RegExp]>([
    ["standin.version", "2.x", ofAnotherMajor],
    ["standin.version", "new", /written by standin "new"; this is 0/],
    ["standin.format", 2, /is 2; .*reads format 1/],
    ["mode", "live", ofTheOtherMode],
    ["mode", undefined, /must be test or live; got nothing/],
    ["clock.now", undefined, /must be a time from 1970-.*; got nothing/],
    ["clock.now", "2030-06-01", /in this format; got "2030-06-01"/],
    ["clock.now", "9999-01-01T00:00:00.000Z", /to 9000-/],
    ["state", [], /must be an object; got an array/],
  ])("whose %s is %j", async (where, value, says) => {
    const account = await busyAccount(sandbox.account());
    await expectRefused(
      account,
      JSON.stringify(forgedAt(await account.snapshot(), where, value)),
      where,
      says,
    );
  });

  test.each<[string, unknown]>([
    ["state.constructor", {}],
    ["state.*", {}],
    ['state.a",', {}],
    ["state.others", { a: "text" }],
    ["state.others", { a: null }],
    ["state.inbox", []],
    ["state.inbox.m", { codes: [1] }],
    ["state.inbox.5", {}],
    ["state.inbox.#a", {}],
    ["state.account", undefined],
    ["state.account.wallet", undefined],
    ["state.account.wallet.balance", 0.5],
    ["state.account.settings.plan", "golden"],
    ["state.account.settings.free_tier", "many"],
    ["state.account.sequences.random", [1, 2, 3]],
    ["state.account.sequences.random.2", 2 ** 31],
    ["state.usage.d", { phone_code: 1 }],
    ["state.jobs.j", { due: "soon" }],
    ["state.jobs.j", { due: 1e300 }],
    ["state.jobs.j", { kind: "toString" }],
    ["state.jobs.j", { kind: "move", machine: "delivery", move: "fly" }],
    ["state.rules.r", { when: 1 }],
    ["state.rules.r", { outcome: "toString" }],
    ["state.endpoints.whe_0", { events: ["everything"] }],
    ["state.endpoints.whe_0", { url: "ftp://127.0.0.1/" }],
    ["state.events.e", { body: {} }],
    ["state.delivery.d", { url: "http://" }],
    ["state.delivery.d", { attempts: [1] }],
    ["state.phone_verification.p", { id: "another" }],
    ["state.phone_verification.p", { history: {} }],
    ["state.phone_verification.p", { expires_at: "soon" }],
  ])("whose %s was changed to %j, with a new checksum", async (where, value) => {
    const account = await busyAccount(sandbox.account());
    await expectRefused(
      account,
      JSON.stringify(forgedAt(await account.snapshot(), where, value)),
      where,
      where.split(".", 2).join("."),
    );
  });

  const entry = { at: frozenAt, about: "ord_1", legs: { received: -100, pending: 100 } };
  test.each<[what: string, where: string, record: unknown, place?: string]>([
    ["a ledger entry without legs", "state.ledger_entries.entry_1", { ...entry, legs: undefined }],
    [
      "a ledger entry with an amount in words",
      "state.ledger_entries.entry_1",
      { ...entry, legs: { received: "much" } },
    ],
    [
      "a ledger entry whose amounts do not add up to zero",
      "state.ledger_entries.entry_1",
      { ...entry, legs: { received: -100, pending: 101 } },
    ],
    [
      "a ledger entry of an account that the ledger does not have",
      "state.ledger_entries.entry_1",
      { ...entry, legs: { received: -100, constructor: 100 } },
    ],
    [
      "a ledger entry that no balance shows",
      "state.ledger.balances.received",
      entry,
      "state.ledger_entries.entry_1",
    ],
    ["balances that do not add up to zero", "state.ledger.balances", { available: 100 }],
    ["balances without the entries", "state.ledger.balances", { received: -100, available: 100 }],
    ["a ledger entry without an instant", "state.ledger_entries.entry_1", { ...entry, at: undefined }],
    ["sent codes without a list of instants", "state.code_sends.to_a", {}],
    ["a published proof that is no text", "state.domain_proofs.shop_example", { well_known_file: 1 }],
  ])(
    "with %s, in a table that the account does not have yet",
    async (_what, where, record, place = where) => {
      const account = await busyAccount(sandbox.account());
      const [, table = "", id = ""] = place.split(".");
      const document = forged(await account.snapshot(), ({ state }) =>
        Object.assign(state, { [table]: { [id]: record } }),
      );
      await expectRefused(account, JSON.stringify(document), where, where);
    },
  );

  test("while the clock is being advanced, with clock_busy", async () => {
    let answer = () => {};
    const receiver = await startReceiver((_count, response) => {
      answer = () => response.end();
    });
    onTestFinished(() => receiver.close());
    const account = sandbox.account();
    await account.clock.freeze(frozenAt);
    await post(account, "/v1/webhooks", { url: receiver.url });
    await account.events.trigger("payout.paid");
    await receiver.got(1);
    const snapshot = await account.snapshot();
    const advancing = account.advance("1m");
    await expect(account.restore(snapshot)).rejects.toMatchObject({ status: 409, code: "clock_busy" });
    answer();
    await advancing;
    await account.restore(snapshot);
  });
});

/** Returns the paths of all values in the document. */
const placesIn = (value: unknown, path: string[] = []): string[][] =>
  typeof value !== "object" || value === null
    ? [path]
    : [
        ...(path.length > 0 ? [path] : []),
        ...Object.entries(value).flatMap(([key, child]) => placesIn(child, [...path, key])),
      ];

/** Calls everything that reads restored state. Refusals are allowed, internal errors are not. */
async function useAll(account: SandboxAccount, verifications: readonly string[]): Promise<void> {
  const replies = [await startPhone(account), await call(account, "GET", "/v1/balance")];
  for (const id of verifications) {
    replies.push(await post(account, "/v1/phone/verify/check", { id, code: "123456" }));
    replies.push(await call(account, "GET", `/_sandbox/records/${id}`));
  }
  for (const { status, body } of replies) expect(status, JSON.stringify(body)).toBeLessThan(500);
  await shown(account);
  await account.advance("1h");
  await shown(account);
  await account.snapshot();
  await account.clock.resume();
}

test("a document with an arbitrary value anywhere is refused or does no harm", async () => {
  const snapshot = await (await busyAccount(sandbox.account())).snapshot();
  const places = placesIn(snapshot).filter(([top]) => top !== "checksum");
  const hostile = fc.oneof(
    fc.constantFrom<unknown>(null, "", "x", -1, 1e300, [], {}, true, "constructor", frozenAt),
    fc.jsonValue({ maxDepth: 2 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), hostile, async (path, value) => {
      const account = other.account();
      const document = forged(snapshot, (whole) => {
        path.slice(0, -1).reduce((inner, key) => inner[key], whole)[path.at(-1) as string] = value;
      });
      const { status } = await putSnapshot(account, JSON.stringify(document));
      expect([200, 400]).toContain(status);
      if (status === 200) await useAll(account, Object.keys(snapshot.state.phone_verification ?? {}));
    }),
    propertyRuns(40, 1_000),
  );
  expect({}).not.toHaveProperty("polluted");
});

describe("the size of a document is limited", () => {
  const megabyte = "x".repeat(1024 * 1024);
  const document = (megabytes: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: megabytes }, (_, i) => [`filler${i}`, megabyte])));

  test("to 32 MB by default, or to maxSnapshotMB", async () => {
    const large = document(32);
    const tooLarge = await putSnapshot(sandbox.account(), large);
    expect([tooLarge.status, tooLarge.body.error.code]).toEqual([413, "body_too_large"]);
    const smaller = await startSandbox({ maxSnapshotMB: 1 });
    onTestFinished(() => smaller.close());
    expect((await putSnapshot(smaller.account(), document(1))).status).toBe(413);
    const larger = await startSandbox({ maxSnapshotMB: 40 });
    onTestFinished(() => larger.close());
    const read = await putSnapshot(larger.account(), large);
    expect([read.status, read.body.error.param]).toEqual([400, "standin"]);
  });

  test("and the refusal names the size and the limit", async () => {
    const limited = await startSandbox({ maxSnapshotMB: 2 });
    onTestFinished(() => limited.close());
    const { status, body } = await putSnapshot(limited.account(), document(3));
    expect([status, body.error.code]).toEqual([413, "body_too_large"]);
    expect(body.error.message).toMatch(
      /^The document has 3\.0 MB; this sandbox takes at most 2 MB \(--max-snapshot-mb, up to 64\)\.$/,
    );
    await expect(startSandbox({ maxSnapshotMB: 65 })).rejects.toThrow("64");
  });

  test("as it arrives, when its length is not said in advance", async () => {
    const limited = await startSandbox({ maxSnapshotMB: 1 });
    onTestFinished(() => limited.close());
    const account = await busyAccount(limited.account());
    const sendInChunks = (text: string) => {
      const headers = { "Content-Type": "application/json" };
      const body = new Blob([text]).stream();
      return account.fetch("/_sandbox/snapshot", { method: "PUT", headers, body, duplex: "half" });
    };
    const snapshot = await bytesOf(account);
    await startPhone(account);
    expect((await sendInChunks(snapshot)).status).toBe(200);
    expect(await bytesOf(account)).toBe(snapshot);
    expect((await sendInChunks(document(1))).status).toBe(413);
    expect(await bytesOf(account)).toBe(snapshot);
  });

  test("in the number of its values, since short ones take the most memory", async () => {
    const reply = await putSnapshot(sandbox.account(), `{"a":[${"{},".repeat(5_000_000)}{}]}`);
    expect([reply.status, reply.body.error.code]).toEqual([413, "body_too_large"]);
    expect(reply.body.error.message).toContain("4194304 values");
  });
});

test("a snapshot of more than 64 MB is not written, and the refusal names its size and the limit", async () => {
  const account = sandbox.account();
  const text = "x".repeat(1_000_000);
  for (let count = 0; count < 68; count++)
    await account.rules.add({ on: "payout.paid", webhook: { set: { "data.note": text } } });
  const { status, body } = await call(account, "GET", "/_sandbox/snapshot");
  expect([status, body.error.code]).toEqual([400, "validation_error"]);
  expect(body.error.message).toMatch(
    /^The snapshot of this account has 6[45]\.\d MB; snapshots have at most 64 MB\.$/,
  );
  await account.reset();
  expect((await call(account, "GET", "/_sandbox/snapshot")).status).toBe(200);
});

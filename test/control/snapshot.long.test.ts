import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { type SandboxAccount, type Snapshot, startSandbox } from "../../src/index.js";
import { serviceOperations } from "../../src/service/index.js";
import { propertyRuns } from "../support/repetitions.js";
import { requestOf } from "../support/requests.js";
import { call, post, startPhone, useSandbox } from "../support/sandbox.js";
import { busyAccount, bytesOf, forged, frozenAt, putSnapshot, shown } from "../support/snapshots.js";

const sandbox = useSandbox();
afterEach(() => expect(sandbox.warnings).toEqual([]));

describe("a snapshot", () => {
  test("has the documented form, and its checksum is the SHA-256 of the document without it", async () => {
    const account = await busyAccount(sandbox.account());
    const snapshot = await account.snapshot();
    expect(Object.keys(snapshot)).toEqual(["standin", "mode", "clock", "state", "checksum"]);
    expect(snapshot).toMatchObject({
      standin: { format: 1, version: "0.x" },
      mode: "test",
      clock: { now: "2030-06-01T12:00:02.000Z" },
    });
    expect(forged(snapshot, () => {})).toEqual(snapshot);
    expect(Object.keys(snapshot.state.account ?? {}).sort()).toEqual([
      "origin",
      "sequences",
      "settings",
      "wallet",
    ]);
    expect(Object.keys(snapshot.state.inbox ?? {})).toHaveLength(2);
  });

  test("has the same bytes each time, whatever is read in between", async () => {
    const account = await busyAccount(sandbox.account());
    const first = await bytesOf(account);
    await account.inbox.wait();
    await account.rules.list();
    await call(account, "GET", "/v1/balance");
    expect(await bytesOf(account)).toBe(first);
  });

  test("contains no API key, neither the account's own nor one that it registered", async () => {
    const account = await busyAccount(sandbox.account());
    await account.control("POST", "/keys", { key: account.key });
    await call(account, "GET", `/v1/balance?key=${account.key}`);
    const bytes = await bytesOf(account);
    expect(bytes).not.toContain(account.key);
    expect(bytes).not.toContain("registered");
  });

  test("can be restored however its JSON text is written", async () => {
    const account = await busyAccount(sandbox.account());
    const [bytes, snapshot] = [await bytesOf(account), await account.snapshot()];
    const escaped = bytes.replaceAll(
      /[a-z](?=[^"]*":)/g,
      (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`,
    );
    const spaced = ` \r\n${JSON.stringify(snapshot, null, "\t")} \n`;
    for (const document of [escaped, spaced]) {
      expect(document).not.toBe(bytes);
      const copy = sandbox.account();
      expect((await putSnapshot(copy, document)).status).toBe(200);
      expect(await bytesOf(copy)).toBe(bytes);
    }
  });

  test("of a running clock has its time, at which the copy's clock stands still", async () => {
    const account = sandbox.account();
    await startPhone(account);
    const snapshot = await account.snapshot();
    const copy = sandbox.account();
    await copy.advance("24h");
    expect(await copy.restore(snapshot)).toEqual({ restored: true, now: snapshot.clock.now, records: 4 });
    expect(await copy.clock.get()).toMatchObject({ now: snapshot.clock.now, mode: "paused" });
  });
});

interface Course {
  /** The newest phone verification. */
  id: string;
}
type Step = (account: SandboxAccount, course: Course) => Promise<unknown>;

const numbers = fc.constantFrom(
  "+2348031234567",
  "08055512345",
  "+2348000000002",
  "+2348000000004",
  "nonsense",
);
const tricky = JSON.parse(
  '{"b":1,"10":{"z":1,"2":[{"__proto__":{"polluted":1},"1":-0}]},"__proto__":"\\ud800"}',
);
const steps: fc.Arbitrary<Step> = fc.oneof(
  numbers.map(
    (to): Step =>
      async (account, course) => {
        const { status, body } = await post(account, "/v1/phone/verify/start", { phone: to });
        if (status === 201) course.id = body.id;
        return [status, status === 201 ? body : body.error.code];
      },
  ),
  fc.boolean().map(
    (right): Step =>
      async (account, { id }) => {
        const code = right ? (await account.inbox.list())[0]?.codes[0] : "000000";
        return (await post(account, "/v1/phone/verify/check", { id, code: code ?? "000000" })).body.status;
      },
  ),
  fc.constantFrom("a", "b", "c").map(
    (path): Step =>
      async (account) => {
        const events = path === "a" ? ["*"] : ["refund.processed"];
        const { secret, ...endpoint } = (
          await post(account, "/v1/webhooks", { url: `http://127.0.0.1:9/${path}`, events })
        ).body;
        return endpoint;
      },
  ),
  fc.constantFrom("sms_failed", "rate_limited", "expired").map(
    (outcome): Step =>
      (account) =>
        account.rules.add({ on: "startPhoneVerification", outcome, times: 2, probability: 0.5 }),
  ),
  fc.constantFrom("payout.paid", "refund.processed", "verification.completed").map(
    (event): Step =>
      (account) =>
        account.events.trigger(event, event === "payout.paid" ? tricky : undefined),
  ),
  fc.constantFrom("0s", "1s", "7s", "10m").map(
    (by): Step =>
      (account) =>
        account.advance(by),
  ),
  fc.constantFrom({ balance: 12 }, { plan: "growth" }, { free_tier: 3 }).map(
    (change): Step =>
      async (account) => {
        const { id, webhook_secret, ...settings } = await account.update(change);
        return settings;
      },
  ),
);

/** Wall-clock times differ between accounts. */
const withoutDurations = ({ state }: Snapshot): string =>
  JSON.stringify(state).replaceAll(/"duration_ms":\d+/g, '"duration_ms":0');

test("after any history, an account and its copy have the same snapshots and replies", async () => {
  const series = fc.array(steps, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(series, series, async (before, after) => {
      const [original, copy] = [sandbox.account(), sandbox.account()];
      await original.clock.freeze(frozenAt);
      const course: Course = { id: "phv_0" };
      for (const step of before) await step(original, course);
      await original.advance("0s");
      const bytes = await bytesOf(original);
      expect((await putSnapshot(copy, bytes)).status).toBe(200);
      expect(await bytesOf(copy)).toBe(bytes);

      const courseOfCopy = { ...course };
      await copy.advance("0s");
      for (const step of after) {
        expect(await step(copy, courseOfCopy)).toEqual(await step(original, course));
        for (const account of [copy, original]) await account.advance("0s");
      }
      expect(withoutDurations(await copy.snapshot())).toBe(withoutDurations(await original.snapshot()));
    }),
    propertyRuns(10, 100),
  );
  expect({}).not.toHaveProperty("polluted");
});

describe("restoring", () => {
  test("replaces everything that was there", async () => {
    const account = await busyAccount(sandbox.account());
    const empty = sandbox.account();
    await empty.clock.freeze(frozenAt);
    const fresh = await shown(empty);
    await account.restore(await empty.snapshot());
    expect(await shown(account)).toEqual(fresh);
    expect(await account.requests.list()).toEqual([]);
    expect((await account.clock.get()).next_due).toBeNull();
  });

  test("onto an unused account continues the ids of the original, not its own", async () => {
    const [original, copy] = [sandbox.account(), sandbox.account()];
    await copy.restore(await original.snapshot());
    const ids = [(await startPhone(original)).body.id, (await startPhone(copy)).body.id];
    expect(ids[1]).toBe(ids[0]);
  });

  test("onto the same account undoes what came after the snapshot, and the same requests get the same ids", async () => {
    const account = await busyAccount(sandbox.account());
    const snapshot = await account.snapshot();
    const before = await shown(account);
    const first = (await startPhone(account)).body;
    await account.advance("1h");
    await account.restore(snapshot);
    expect(await shown(account)).toEqual(before);
    expect((await startPhone(account)).body).toEqual(first);
  });

  test("accepts the records of every operation of the service", async () => {
    const [account, copy] = [sandbox.account(), sandbox.account()];
    await account.clock.freeze(frozenAt);
    await account.control("POST", "/people", { first_name: "Chioma", last_name: "Eze" });
    for (const operation of serviceOperations) {
      const { method, target, body } = requestOf(operation, {});
      if (!operation.upload) await call(account, method, target, method === "GET" ? undefined : body);
    }
    const snapshot = await account.snapshot();
    expect(Object.keys(snapshot.state)).toEqual(expect.arrayContaining(["people", "usage", "endpoints"]));
    await copy.restore(snapshot);
    expect(await bytesOf(copy)).toBe(await bytesOf(account));
  });

  test("works on another sandbox, with another seed", async () => {
    const account = await busyAccount(sandbox.account());
    const other = await startSandbox({ seed: "another", validateReplies: true });
    const copy = other.account();
    await copy.restore(await account.snapshot());
    expect(await bytesOf(copy)).toBe(await bytesOf(account));
    expect(await shown(copy)).toEqual(await shown(account));
    await other.close();
  });

  test("keeps the account's registration and its mode", async () => {
    const strict = await startSandbox({ registeredKeysOnly: true });
    const registered = strict.account({ mode: "live" });
    const stranger = strict.account({ mode: "live" });
    await registered.control("POST", "/keys", { key: registered.key });
    await registered.restore(await stranger.snapshot());
    expect((await call(registered, "GET", "/v1/balance")).status).toBe(200);
    expect((await startPhone(registered)).body.is_test).toBe(false);
    await stranger.restore(await registered.snapshot());
    expect((await call(stranger, "GET", "/v1/balance")).status).toBe(401);
    await strict.close();
  });

  test("accepts the document in any JSON formatting", async () => {
    const account = await busyAccount(sandbox.account());
    const copy = sandbox.account();
    expect((await putSnapshot(copy, JSON.stringify(await account.snapshot(), null, 2))).status).toBe(200);
    expect(await bytesOf(copy)).toBe(await bytesOf(account));
  });

  test("accepts documents of many megabytes", async () => {
    const account = sandbox.account();
    await account.clock.freeze(frozenAt);
    for (let i = 0; i < 4; i++) await account.events.trigger("payout.paid", { note: "ü".repeat(400_000) });
    const bytes = await bytesOf(account);
    expect(bytes.length).toBeGreaterThan(3_000_000);
    const copy = sandbox.account();
    expect((await putSnapshot(copy, bytes)).status).toBe(200);
    expect(await bytesOf(copy)).toBe(bytes);
  });

  test("uses the defaults of settings that the document lacks", async () => {
    const account = await busyAccount(sandbox.account());
    const snapshot = forged(await account.snapshot(), ({ state }) => {
      delete state.account.settings.free_tier;
    });
    await account.restore(snapshot);
    expect(await account.update({})).toMatchObject({ free_tier: 0, plan: "business" });
  });
});

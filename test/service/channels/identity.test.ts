import { beforeEach, describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { useSandbox } from "../../support/sandbox.js";
import { forged } from "../../support/snapshots.js";
import { type Line, mainLine, outcome, person, refusal, somebody } from "./line.js";

const sandbox = useSandbox();

let account: SandboxAccount;
let line: Line;
let start: number;
beforeEach(async () => {
  account = sandbox.account();
  start = Date.parse((await account.clock.freeze()).now);
  line = await mainLine(account);
});

const minutesIn = (minutes: number): string => new Date(start + minutes * 60_000).toISOString();
const pending = (id: string, attempts = 0) => ({
  id,
  kind: "identity",
  status: "pending",
  attempts,
  resolved_at: null,
});

describe("asking", () => {
  test("returns the documented fields, and reaches a person who never wrote", async () => {
    const { status, body } = await line.askIdentity({ reference: "kyc-7" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^idq_[a-z0-9]{20}$/),
      kind: "identity",
      to: person,
      status: "pending",
      attempts: 0,
      expires_at: minutesIn(60),
    });
    expect(await line.last()).toMatchObject({
      channel: "chat",
      from: line.id,
      to: person,
      text: "What is your mother's first name?",
      codes: [],
    });
  });

  test.each([1, 10_080])("with ttl_minutes %i expires after that time", async (ttl_minutes) => {
    expect((await line.askIdentity({ ttl_minutes })).body.expires_at).toBe(minutesIn(ttl_minutes));
  });

  test.each<[object, string]>([
    [{ ttl_minutes: 0 }, "ttl_minutes"],
    [{ ttl_minutes: 10_081 }, "ttl_minutes"],
    [{ max_attempts: 0 }, "max_attempts"],
    [{ max_attempts: 6 }, "max_attempts"],
    [{ max_attempts: 1.5 }, "max_attempts"],
    [{ question: "" }, "question"],
    [{ question: "x".repeat(4_097) }, "question"],
    [{ question: undefined }, "question"],
    [{ expected: "" }, "expected"],
    [{ expected: " .\t-\u200b’ʼ" }, "expected"],
    [{ expected: undefined }, "expected"],
    [{ expected: 42 }, "expected"],
    [{ to: "+2348031234567" }, "to"],
  ])("with %j is refused, and no question is sent", async (body, param) => {
    const reply = await line.askIdentity(body);
    expect(reply.status).toBe(400);
    expect(reply.body.error.param).toBe(param);
    expect(await account.inbox.list()).toEqual([]);
  });

  test("needs the Growth plan or above", async () => {
    await account.update({ plan: "starter" });
    const reply = await line.askIdentity();
    expect(refusal(reply)).toBe("403 plan_required");
    expect(reply.body.error.required_plan).toBe("growth");
    for (const plan of ["growth", "business"] as const) {
      await account.update({ plan });
      expect((await line.askIdentity()).status).toBe(201);
    }
  });

  test("that fails sends no question", async () => {
    expect(refusal(await line.askIdentity({}, outcome("provider_timeout")))).toBe("504 provider_timeout");
    expect(await account.inbox.list()).toEqual([]);
    expect(await account.clock.get()).toMatchObject({ next_due: null });
  });
});

describe("the states of an identity check", () => {
  test("(none) → pending: verify-identity start, accepted", async () => {
    const id = await line.question();
    expect(await line.result(id)).toEqual(pending(id));
  });

  test("pending → verified: the answer equals the expected one, ignoring capital letters, spaces and punctuation", async () => {
    const id = await line.question({ expected: "Ngozi Adaeze" });
    await account.advance("2m");
    await line.hears(" nGOZI-adaeze. ");
    expect(await line.result(id)).toEqual({
      id,
      kind: "identity",
      status: "verified",
      attempts: 1,
      resolved_at: minutesIn(2),
    });
  });

  test("pending → pending: a wrong answer uses up a try, and the right one may follow", async () => {
    const id = await line.question();
    await line.hears("Chidi");
    expect(await line.result(id)).toEqual(pending(id, 1));
    await line.hears("Ngozi");
    expect(await line.result(id)).toMatchObject({ status: "verified", attempts: 2 });
  });

  test.each([
    [1, { max_attempts: 1 }],
    [3, {}],
    [5, { max_attempts: 5 }],
  ])("pending → failed: tries (max_attempts) used up, %i", async (tries, body) => {
    const lucky = await line.question({ ...body, to: somebody(1) });
    const id = await line.question(body);
    for (let used = 1; used < tries; used++) {
      await line.hears("Chidi");
      expect(await line.result(id)).toEqual(pending(id, used));
      await line.hears("Chidi", somebody(1));
    }
    await account.advance("1m");
    await line.hears("Chidi");
    const failed = { id, kind: "identity", status: "failed", attempts: tries, resolved_at: minutesIn(1) };
    expect(await line.result(id)).toEqual(failed);
    await line.hears("Ngozi");
    expect(await line.result(id)).toEqual(failed);
    // The last try may still be correct.
    await line.hears("Ngozi", somebody(1));
    expect(await line.result(lucky)).toMatchObject({ status: "verified", attempts: tries });
  });

  test.each([
    [1, { ttl_minutes: 1 }],
    [60, {}],
    [10_080, { ttl_minutes: 10_080 }],
  ])("pending → expired: expires_at reached, %i minutes", async (minutes, body) => {
    const lucky = await line.question({ ...body, to: somebody(1) });
    const id = await line.question(body);
    await account.advance(`${minutes - 1}m59s`);
    await account.advance("999ms");
    expect(await line.result(id)).toEqual(pending(id));
    await line.hears("Ngozi", somebody(1));
    await account.advance("1ms");
    const expired = { id, kind: "identity", status: "expired", attempts: 0, resolved_at: minutesIn(minutes) };
    expect(await line.result(id)).toEqual(expired);
    await line.hears("Ngozi");
    expect(await line.result(id)).toEqual(expired);
    expect(await line.result(lucky)).toMatchObject({ status: "verified" });
  });

  test("pending → expired: once the clock is past the end, before any job has run", async () => {
    const [read, answered, byHand] = [
      await line.question({ to: somebody(1) }),
      await line.question({ to: somebody(2) }),
      await line.question({ to: somebody(3) }),
    ];
    const later = forged(await account.snapshot(), (document) => {
      document.clock.now = minutesIn(90);
    });
    await account.restore(later);
    await line.hears("Ngozi", somebody(2));
    await line.move(byHand, "answer", { text: "Ngozi" });
    for (const id of [read, answered, byHand]) {
      const expired = { id, kind: "identity", status: "expired", attempts: 0, resolved_at: minutesIn(60) };
      expect(await line.result(id)).toEqual(expired);
    }
    await account.advance("1h");
    expect((await account.records.get(read)).history.filter(({ to }) => to === "expired")).toHaveLength(1);
  });

  test("moves by hand: answer {text} and expire; an ended check has no moves", async () => {
    const answered = await line.question();
    expect((await line.move(answered, "answer", { text: "Chidi" })).state).toBe("pending");
    expect((await line.move(answered, "answer", { text: "NGOZI" })).state).toBe("verified");
    const expired = await line.question();
    await account.advance("5m");
    expect((await line.move(expired, "expire")).record).toMatchObject({ resolved_at: minutesIn(5) });
    for (const id of [answered, expired])
      await expect(line.move(id, "answer", { text: "Ngozi" })).rejects.toMatchObject({
        code: "invalid_state",
      });
  });

  test.each([{}, { text: "" }, { text: 7 }, { text: null }])(
    "the move answer %j is refused",
    async (input) => {
      const id = await line.question();
      await expect(line.move(id, "answer", input)).rejects.toMatchObject({
        status: 400,
        code: "validation_error",
      });
      expect(await line.result(id)).toEqual(pending(id));
    },
  );
});

test("an id that is not that of a check on this channel is not found", async () => {
  const { id } = await line.code();
  for (const unknown of ["idq_unknown", id, line.id]) {
    const reply = await line.ask("GET", `/verify-identity/${unknown}`);
    expect(refusal(reply)).toBe("404 resource_not_found");
    expect(reply.body.error.param).toBe("verification_id");
  }
});

test("a result can be read while the channel is disconnected", async () => {
  const id = await line.question();
  await line.move(line.id, "disconnect");
  expect(await line.result(id)).toEqual(pending(id));
});

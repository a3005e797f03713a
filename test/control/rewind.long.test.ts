/** `POST /_sandbox/rewind`: the account as it was before an activity. */
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { OutcomeName, SandboxAccount } from "../../src/index.js";
import { freshFolder, startOn } from "../support/folder.js";
import { startReceiver } from "../support/receiver.js";
import { propertyRuns, shareOf, upTo } from "../support/repetitions.js";
import { call, post, startPhone, useSandbox } from "../support/sandbox.js";
import { type Course, freshCourse, type Step, steps } from "../support/session.js";
import { bytesOf, frozenAt } from "../support/snapshots.js";

const sandbox = useSandbox();

/** Wall-clock times differ between repetitions, and the checksum with them. */
const withoutWallClock = (text: string): string =>
  text
    .replaceAll(/"duration_ms":[\d.]+/g, '"duration_ms":0')
    .replaceAll(/"(date|keep-alive)":"[^"]*"/g, "")
    .replace(/"checksum":"\w+"/, "");

/** Runs a step until everything that it has started has settled. Returns what it shows, and the whole account after it. */
async function runStep(step: Step, account: SandboxAccount, course: Course): Promise<string> {
  const reply = await step(account, course);
  const settled = await account.advance("0s");
  return withoutWallClock(JSON.stringify([reply, settled, await bytesOf(account)]).replaceAll('\\"', '"'));
}

/** Returns the id of the newest activity. */
const newest = async (account: SandboxAccount): Promise<string | undefined> =>
  (await account.activity.list({ limit: 1 }))[0]?.id;

/** Returns the first call after the activity `last`, or an effect of it if there is one. Null if there is no call. */
async function callAfter(
  account: SandboxAccount,
  last: string | undefined,
  wantsEffect: boolean,
): Promise<string | null> {
  const all = (await account.activity.list({ limit: 1_000 })).reverse();
  const since = all.slice(all.findIndex(({ id }) => id === last) + 1);
  const first = since.find(({ call }) => call !== null)?.id;
  const effect = wantsEffect && since.find(({ id }) => id.startsWith(`${first}.`))?.id;
  return effect || (first ?? null);
}

test(
  "after a rewind to any activity, the rest of the session gets the same replies and leads to the same account",
  upTo(30),
  async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const session = fc.array(steps(receiver.url), { minLength: 2, maxLength: 14, size: "max" });
    await fc.assert(
      fc.asyncProperty(session, fc.nat(), fc.boolean(), async (drawn, choice, wantsEffect) => {
        const account = sandbox.account();
        await account.clock.freeze(frozenAt);
        const course = { ...freshCourse };
        const [courses, shown, last]: [Course[], string[], (string | undefined)[]] = [[], [], []];
        for (const step of drawn) {
          courses.push({ ...course });
          last.push(await newest(account));
          shown.push(await runStep(step, account, course));
        }
        const from = choice % drawn.length;
        const target = await callAfter(account, last[from], wantsEffect);
        await account.rewind(target as string);
        expect(await newest(account)).not.toBe(target);
        const again = courses[from] as Course;
        for (let at = from; at < drawn.length; at++)
          expect(await runStep(drawn[at] as Step, account, again)).toBe(shown[at]);
      }),
      propertyRuns(24, 1_000),
    );
  },
);

test("brings back records that were deleted to their places in lists", async () => {
  const account = sandbox.account();
  const add = (outcome: OutcomeName) =>
    account.rules.add({ on: "startPhoneVerification", outcome, times: 1 });
  const [first, , third] = [await add("sms_failed"), await add("rate_limited"), await add("expired")];
  const before = await account.rules.list();
  for (const { id } of [third, first]) await account.rules.remove(id);
  const [, removal] = await account.activity.list({ kind: "control" });
  await add("sms_failed");
  await account.rewind(removal?.id as string);
  expect(await account.rules.list()).toEqual(before);
});

test("names the webhooks that were sent since then, or are on the wire", async () => {
  const held: (() => void)[] = [];
  const receiver = await startReceiver((count, response) => {
    if (count === 1) response.end();
    else held.push(() => response.end());
  });
  onTestFinished(async () => {
    for (const release of held) release();
    await receiver.close();
  });
  const account = sandbox.account();
  await account.clock.freeze();
  await post(account, "/v1/webhooks", { url: receiver.url });
  const sent = await account.events.trigger("payout.paid");
  await account.advance("0s");
  const held2 = await account.events.trigger("refund.processed");
  await receiver.got(2);
  const result = await account.rewind(sent.id);
  expect(result.sent).toMatchObject([
    { event_id: held2.id, event: "refund.processed", url: receiver.url, attempts: 0, in_flight: true },
    { event_id: sent.id, event: "payout.paid", url: receiver.url, attempts: 1, in_flight: false },
  ]);
  expect(await account.events.list()).toEqual([]);
  expect(await account.deliveries.list()).toEqual([]);
});

test("removes the activities and requests since then, and can be repeated further back", async () => {
  const account = sandbox.account();
  await account.clock.freeze(frozenAt);
  const replies = [await startPhone(account), await startPhone(account), await startPhone(account)];
  const [first = "", second = "", third = ""] = replies.map(
    ({ headers }) => headers.get("x-request-id") as string,
  );
  const { commits, rewound_to } = await account.rewind(third);
  expect({ commits, rewound_to }).toEqual({ commits: 1, rewound_to: third });
  expect((await account.requests.list()).map(({ id }) => id)).toEqual([second, first]);
  expect(
    (await account.activity.list()).filter(({ kind }) => kind === "request").map(({ id }) => id),
  ).toEqual([second, first]);
  await account.rewind(first);
  const again = await startPhone(account);
  expect([again.body, again.headers.get("x-request-id")]).toEqual([replies[0]?.body, first]);
  expect(await account.inbox.list()).toHaveLength(1);
});

test("makes a message that was waited for since then new again", async () => {
  const account = sandbox.account();
  await startPhone(account);
  const first = await account.inbox.wait();
  const second = await startPhone(account);
  const { codes } = await account.inbox.wait();
  await account.rewind(second.headers.get("x-request-id") as string);
  await startPhone(account);
  expect(await account.inbox.wait()).toMatchObject({ codes });
  expect(first.codes).not.toEqual(codes);
});

test("is refused for an unknown activity and for one that is more than 1,000 commits back", async () => {
  const account = sandbox.account();
  const oldest = (await startPhone(account)).headers.get("x-request-id") as string;
  // The use of a rule is a commit of its own.
  await account.rules.add({ on: "startPhoneVerification", outcome: "sent", times: 1_000 });
  const rewind = (to: string) => call(account, "POST", "/_sandbox/rewind", { to });
  expect(await rewind("req_unknown")).toMatchObject({
    status: 404,
    body: { error: { param: "to", message: expect.stringContaining("GET /_sandbox/activity") } },
  });
  const { headers } = await startPhone(account);
  for (let i = 0; i < 49; i++) await Promise.all(Array.from({ length: 10 }, () => startPhone(account)));
  for (let i = 0; i < 9; i++) await startPhone(account);
  expect(await rewind(oldest)).toMatchObject({
    status: 400,
    body: {
      error: { code: "validation_error", param: "to", message: expect.stringContaining("1,000 commits") },
    },
  });
  const { status, body } = await rewind(headers.get("x-request-id") as string);
  expect([status, body.commits]).toEqual([200, 1_000]);
});

test.each(shareOf(["process", "power"], 2, 1))(
  "%s: a rewind that was acknowledged survives a kill",
  async (durability) => {
    const folder = freshFolder();
    const first = await startOn(folder, "--durability", durability);
    const account = first.account("svc_test_rewound");
    await account.clock.freeze(frozenAt);
    await startPhone(account);
    const before = await bytesOf(account);
    const { body, headers } = await startPhone(account);
    await account.advance("1h");
    await account.rewind(headers.get("x-request-id") as string);
    await first.stop("SIGKILL");

    const second = await startOn(folder, "--durability", durability);
    const reopened = second.account("svc_test_rewound");
    expect(await bytesOf(reopened)).toBe(before);
    expect((await startPhone(reopened)).body).toEqual(body);
  },
);

/** Every kind of step, passing and failing. */
import { afterEach, describe, expect, test } from "vitest";
import { ref } from "../scenarios/files.js";
import { useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();
afterEach(() => expect(sandbox.warnings).toEqual([]));

const frozen = "2026-03-02T09:00:00Z";
const phone = "+2348031234567";
const start = { call: "POST /v1/phone/verify/start", body: { phone }, as: "started" };

interface Story {
  given?: object;
  rules?: object[];
  steps: object[];
}

async function walk(story: Story) {
  const result = await sandbox.account().scenario.run({ name: "A walk", ...story });
  return { ...result, problems: result.steps.flatMap(({ problems }) => problems) };
}

/** Returns the problems of the only step. */
const problemsOf = async (step: object, given: object = {}, rules: object[] = []) =>
  (await walk({ given, rules, steps: [step] })).problems;

const channel = ref("given.channels.0.id");

const passing: [string, object, Story?][] = [
  ["call", start],
  [
    "call with a query and headers",
    {
      call: "GET /v1/usage",
      query: { from: "2026-03-01", to: "2026-03-02" },
      headers: { "X-Sandbox-Outcome": "rate_limited" },
      expect: { status: 429, headers: { "retry-after": "/\\d+/" } },
    },
  ],
  [
    "call that expects a refusal",
    {
      call: "POST /v1/phone/verify/start",
      body: {},
      expect: { status: 400, body: { error: { code: "missing_field", param: "phone" } } },
    },
  ],
  [
    "call with a session token",
    {
      call: "POST /v1/domains/verify/start",
      session: true,
      body: { domain: "shop.example.com" },
      expect: { status: "/20\\d/" },
    },
  ],
  [
    "call with files",
    {
      call: "POST /v1/verify/document",
      files: { file: { name: "adaeze-licence.png", fixture: "id-card.png" } },
    },
  ],
  ["advance by", { advance: "90m", expect: { now: "2026-03-02T10:30:00.000Z", ran: [] } }],
  ["advance to", { advance: "2026-03-02T10:00:00Z", expect: { now: "2026-03-02T10:00:00.000Z" } }],
  [
    "advance to the next",
    { advance: "next", expect: { ran: [{ move: "expire" }] } },
    { given: { phone_verifications: [{}] }, steps: [] },
  ],
  ["receive", { receive: {}, expect: undefined }],
  [
    "inbox",
    { inbox: { to: phone, channel: "sms" }, expect: { codes: ["/\\d{6}/"] } },
    { given: { phone_verifications: [{}] }, steps: [] },
  ],
  [
    "reply",
    { reply: { channel_id: channel, from: "2348031234567", text: "Hello" }, expect: { text: "Hello" } },
    { given: { channels: [{ connected: true }] }, steps: [] },
  ],
  [
    "pay",
    {
      pay: { reference: ref("given.charges.0.reference"), card: "4242424242424242" },
      expect: { result: "paid" },
    },
    { given: { charges: [{}] }, steps: [] },
  ],
  [
    "visit",
    {
      visit: { id: ref("given.addresses.0.id"), latitude: 6.6, longitude: 3.35 },
      expect: { status: "<string>" },
    },
    { given: { addresses: [{}] }, steps: [] },
  ],
  [
    "move",
    { move: "reject", id: ref("given.payouts.0.id"), expect: { state: "rejected" } },
    { given: { payouts: [{}] }, steps: [] },
  ],
  [
    "record",
    { record: ref("given.payouts.0.id"), expect: { state: "requested", moves: "<array>" } },
    { given: { payouts: [{}] }, steps: [] },
  ],
  ["control", { control: "PATCH /account", body: { balance: 5 }, expect: { balance: 5 } }],
];

describe("a step passes", () => {
  test.each(passing)("%s", async (_kind, { expect: expected, ...step }: { expect?: unknown }, story) => {
    const whole = expected === undefined ? step : { ...step, expect: expected };
    expect(await problemsOf(whole, { clock: frozen, ...story?.given })).toEqual([]);
  });
});

describe("a failed step names the expected and the actual value", () => {
  test.each<[string, object, string | RegExp]>([
    [
      "a call that is refused",
      { call: "POST /v1/phone/verify/start", body: {} },
      'status should be "/2\\\\d\\\\d/" and is 400; the service says missing_field: phone is required.',
    ],
    [
      "a call with a different reply",
      { ...start, expect: { status: 200, body: { status: "verified" } } },
      "status should be 200 and is 201",
    ],
    [
      "a missing header",
      { ...start, expect: { headers: { "x-other": "1" } } },
      'headers.x-other should be "1" and is not there',
    ],
    [
      "a connection that does not fail",
      { ...start, expect: { failure: "<any>" } },
      'failure should be "<any>" and is not there',
    ],
    [
      "an advance",
      { advance: "1h", expect: { ran: [], now: "2026-03-02T11:00:00.000Z" } },
      'now should be "2026-03-02T11:00:00.000Z" and is "2026-03-02T10:00:00.000Z"',
    ],
    ["an advance back", { advance: "2026-03-01T00:00:00Z" }, /^A clock cannot go back/],
    ["a record that there is not", { record: "po_0" }, "There is no record po_0 on this account."],
    ["an illegal move", { move: "fly", id: ref("given.people.0.id") }, /There is no record|names nothing/],
    ["a person at no channel", { reply: { channel_id: "wac_0", from: "2348031234567", text: "x" } }, /wac_0/],
    ["a card at no checkout", { pay: { reference: "none", card: "4242424242424242" } }, /none/],
    ["a visit of no address", { visit: { id: "ver_0", latitude: 1, longitude: 1 } }, /ver_0/],
    ["the control API", { control: "PATCH /account", body: { balance: -1 } }, /^balance must be/],
    [
      "a file without content",
      { call: "POST /v1/verify/document", files: { file: { name: "a.png" } } },
      "the file a.png needs one of fixture, text and base64",
    ],
    [
      "a fixture without a folder",
      { call: "POST /v1/verify/document", files: { file: { name: "a.png", fixture: "a.png" } } },
      "there is no fixture a.png in fixtures/files",
    ],
  ])("%s", async (_what, step, says) => {
    const [first] = await problemsOf(step, { clock: frozen, people: [{}] });
    if (typeof says === "string") expect(first).toBe(says);
    else expect(first).toMatch(says);
  });

  test("a missing message", async () => {
    const wait = { inbox: { to: phone } };
    const { problems } = await walk({ steps: [wait] });
    expect(problems).toEqual([expect.stringMatching(/^No new message .*5000 ms/)]);
  });

  test("several problems at once, at most ten", async () => {
    const body = Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`field_${n}`, n]));
    const problems = await problemsOf({ ...start, expect: { body } });
    expect(problems).toHaveLength(10);
    expect(problems[0]).toBe("body.field_0 should be 0 and is not there");
  });
});

test.each([
  ["X-A", "a\nb"],
  ["X-A", "\u{1F600}"],
  ["X A", "b"],
])(
  "a header that HTTP cannot carry, %j: %j, fails its step, and the run ends as usual",
  async (name, value) => {
    const { passed, problems } = await walk({ steps: [{ ...start, headers: { [name]: value } }, start] });
    expect([passed, problems]).toEqual([
      false,
      [
        expect.stringContaining(
          `the header ${JSON.stringify(name)}: ${JSON.stringify(value)} cannot be sent: `,
        ),
      ],
    ]);
  },
);

test("a scenario without steps does not pass", async () => {
  expect(await walk({ steps: [] })).toMatchObject({ passed: false, steps: [], skipped: 0 });
  expect(await sandbox.account().scenario.run({ name: "Rules alone" })).toMatchObject({ passed: false });
});

test("a step can expect a connection that a rule resets", async () => {
  const rules = [{ on: "startPhoneVerification", fault: { reply: "reset_before" } }];
  expect(await problemsOf({ ...start, expect: { failure: "<string>" } }, {}, rules)).toEqual([]);
  const [told] = await problemsOf(start, {}, rules);
  expect(told).toBe('status should be "/2\\\\d\\\\d/" and is not there');
});

test("later steps refer to a result by its name, as a value or within a string", async () => {
  const { problems, passed } = await walk({
    steps: [
      start,
      { inbox: { to: ref("started.phone") }, as: "message" },
      {
        call: "POST /v1/phone/verify/check",
        body: { id: ref("started.id"), code: ref("message.codes.0") },
        expect: { body: { verified: true } },
      },
      {
        control: `GET /records/${ref("started.id")}`,
        expect: { id: ref("started.id"), record: { phone: ref("started.phone") } },
      },
      { control: "PATCH /account", body: { balance: ref("started.cost") }, expect: { balance: 6 } },
      {
        call: "POST /v1/phone/verify/start",
        body: { phone, reference: `at ${ref("now")} by ${ref("key")}` },
        expect: { status: 201, body: { reference: "/at 20.+Z by svc_test_.+/" } },
      },
    ],
  });
  expect([problems, passed]).toEqual([[], true]);
  expect((await walk({ steps: [start, { record: ref("started.di") }] })).problems).toEqual([
    expect.stringMatching(/^\$\{started\.di\} names nothing: there is id, phone, .* in started$/),
  ]);
  expect(
    (await walk({ given: { people: [{}] }, steps: [{ record: `x${ref("given.people")}` }] })).problems,
  ).toEqual([expect.stringMatching(/is an object, which cannot be part of a text$/)]);
});

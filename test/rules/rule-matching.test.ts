import { describe, expect, test } from "vitest";
import type { RuleInput, SandboxAccount } from "../../src/index.js";
import { field, file, png } from "../support/forms.js";
import { post, useSandbox } from "../support/sandbox.js";
import { upload } from "../support/uploads.js";

const sandbox = useSandbox();
const on = "startPhoneVerification";
const path = "/v1/phone/verify/start";
const phone = "+2348031234567";
const outcome = "provider_unavailable";

/** Returns whether a rule with this `when` decided the request. */
async function decides(when: RuleInput["when"], body: object, account = sandbox.account()): Promise<boolean> {
  await account.rules.add({ on, when: when ?? {}, outcome });
  return (await post(account, path, { phone, ...body })).status === 503;
}

const order = { id: "o-17", lines: [{ sku: "a", count: 2 }], ship: { city: "Lagos", zip: null } };

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  [
    "the fields that it names, at whatever depth",
    { order: { ship: { city: "Lagos" } } },
    { order: { ship: { city: "Abuja" } } },
  ],
  [
    "an array whole, its items by their fields",
    { order: { lines: [{ sku: "a" }] } },
    { order: { lines: [] } },
  ],
  [
    "an array of the same length",
    { order: { lines: ["<object>"] } },
    { order: { lines: ["<object>", "<any>"] } },
  ],
  ["null", { order: { ship: { zip: null } } }, { order: { ship: { city: null } } }],
  ["a number by its value", { order: { lines: [{ count: 2 }] } }, { order: { lines: [{ count: "2" }] } }],
  ["a pattern for the whole text", { order: { id: "/o-\\d+/" } }, { order: { id: "/\\d+/" } }],
  [
    "a pattern for a number",
    { order: { lines: [{ count: "/[1-3]/" }] } },
    { order: { lines: [{ count: "/[3-9]/" }] } },
  ],
  ["each way of a pattern whole", { order: { id: "/x|o-17/" } }, { order: { id: "/o|17/" } }],
  ["a text that a pattern does not match", { order: { id: "!/x.*/" } }, { order: { id: "!/o.*/" } }],
  [
    "anything but a pattern only where there is a text",
    { order: { id: "!/x/" } },
    { order: { ship: "!/x/" } },
  ],
  ["the letters of an escape", { order: { id: "/\\u006f-\\u{31}7/" } }, { order: { id: "/\\u006f/" } }],
  ["what is not there", { coupon: "<absent>" }, { order: "<absent>" }],
])("a rule matches a body by %s", async (_what, hit, miss) => {
  expect(await decides({ body: hit }, { order })).toBe(true);
  expect(await decides({ body: miss }, { order })).toBe(false);
});

const values: Readonly<Record<string, unknown>> = {
  absent: undefined,
  text: "text",
  time: "2026-11-21T10:00:00Z",
  whole: 5,
  fraction: 1.5,
  truth: false,
  null: null,
  array: [1],
  object: { a: 1 },
};

test.each([
  ["<any>", ["text", "time", "whole", "fraction", "truth", "null", "array", "object"]],
  ["<absent>", ["absent"]],
  ["<string>", ["text", "time"]],
  ["<number>", ["whole", "fraction"]],
  ["<integer>", ["whole"]],
  ["<boolean>", ["truth"]],
  ["<null>", ["null"]],
  ["<array>", ["array"]],
  ["<object>", ["object"]],
  ["<time>", ["time"]],
])("%s stands for %j only", async (type, fitting) => {
  const account = sandbox.account();
  await account.rules.add({ on, when: { body: { value: type } }, outcome });
  const matched: string[] = [];
  for (const [name, value] of Object.entries(values))
    if ((await post(account, path, { phone, value })).status === 503) matched.push(name);
  expect(matched).toEqual(fitting);
});

test.each(["<b>hi</b>", "<toString>", "<>", "a < b"])("%s is not a type but a text", async (value) => {
  expect(await decides({ body: { value } }, { value })).toBe(true);
  expect(await decides({ body: { value } }, { value: "x" })).toBe(false);
});

test("a text that looks like a type can be matched by a pattern", async () => {
  expect(await decides({ body: { value: "/<b>/" } }, { value: "<b>" })).toBe(true);
});

test("a rule matches by the parameters of the path", async () => {
  const account = sandbox.account();
  const [one, other] = [
    (await post(account, "/v1/wa/channels", { label: "One" })).body.id,
    (await post(account, "/v1/wa/channels", { label: "Other" })).body.id,
  ];
  await account.rules.add({ on: "connectChannel", when: { params: { channel_id: one } }, outcome });
  const connect = async (id: string) =>
    (await post(account, `/v1/wa/channels/${id}/connect`, undefined)).status;
  expect([await connect(one), await connect(other)]).toEqual([503, 200]);
});

describe("of an upload, a rule matches", () => {
  const send = (account: SandboxAccount) =>
    upload(account, [file("file", png, "adaeze-licence.png"), field("document_type", "passport")]);

  test.each<[string, NonNullable<RuleInput["when"]>, NonNullable<RuleInput["when"]>]>([
    [
      "the file's name",
      { files: { file: { filename: "/adaeze-.*/" } } },
      { files: { file: { filename: "a.png" } } },
    ],
    [
      "its type, as its bytes show it",
      { files: { file: { type: "image/png" } } },
      { files: { file: { type: "image/jpeg" } } },
    ],
    ["its size", { files: { file: { size: png.length } } }, { files: { file: { size: 1 } } }],
    ["its hash", { files: { file: { sha256: "/[0-9a-f]{64}/" } } }, { files: { file: { sha256: "0" } } }],
    ["the form's fields", { body: { document_type: "passport" } }, { body: { document_type: "licence" } }],
    ["a file that is not there", { files: { back: "<absent>" } }, { files: { file: "<absent>" } }],
  ])("%s", async (_what, hit, miss) => {
    for (const [when, status] of [
      [hit, 503],
      [miss, 200],
    ] as const) {
      const account = sandbox.account();
      await account.rules.add({ on: "verifyDocument", when, outcome });
      expect((await send(account)).status).toBe(status);
    }
  });
});

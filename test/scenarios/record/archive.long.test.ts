/** HTTP archives become scenarios that pass on a fresh account. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { NotAnArchive, readArchive } from "../../../src/scenarios/record/archive.js";
import { recordArchive } from "../../../src/scenarios/record/record-archive.js";
import { ask, operations } from "../../contract/alternatives/asking.js";
import { png } from "../../support/forms.js";
import { propertyRuns, upTo } from "../../support/repetitions.js";
import { call, fetchFrom, post, useListeningSandbox } from "../../support/sandbox.js";
import { frozenAt } from "../../support/snapshots.js";

const sandbox = useListeningSandbox();

const archiveOf = (account: SandboxAccount): Promise<unknown> => account.control("GET", "/export/har");

/** Runs what an archive becomes on a fresh account, and returns the steps that failed. */
async function failuresOf(archive: unknown) {
  const { entries, ...about } = await readArchive(archive);
  const { scenario } = await recordArchive(entries, about);
  const { steps } = await sandbox.account().scenario.run(scenario);
  return [...steps.filter(({ passed }) => !passed), ...(scenario.steps ?? []).slice(steps.length)];
}

test("the archive of a sign-up and a payout becomes a scenario that passes", async () => {
  const account = sandbox.account();
  await account.clock.freeze(frozenAt);
  const { id } = (await post(account, "/v1/phone/verify/start", { phone: "08031234567" })).body;
  const code = (await account.inbox.wait()).codes[0];
  expect((await post(account, "/v1/phone/verify/check", { id, code })).body.verified).toBe(true);
  await call(account, "PUT", "/v1/business/profile", {
    business_name: "Ada Stores",
    business_type: "registered",
    contact_phone: "08031234567",
  });
  await post(account, "/v1/business/payouts", { amount: 5_000 });
  await call(account, "GET", "/v1/business/overview");
  expect(await failuresOf(await archiveOf(account))).toEqual([]);
});

test("whatever a client asks for goes round: archive, scenario, passing run", upTo(30), async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(operations.length - 1), { minLength: 1, maxLength: 8 }),
      async (asked) => {
        const account = sandbox.account();
        await account.clock.freeze(frozenAt);
        for (const index of asked) await ask(account, operations[index] as (typeof operations)[number]);
        expect(await failuresOf(await archiveOf(account))).toEqual([]);
      },
    ),
    propertyRuns(12, 50),
  );
});

/** An entry as browsers write it: more than the format asks for, bodies in base64, the service below a path of its own. */
const entry = (method: string, url: string, status: number, reply: object, request: object = {}) => ({
  _initiator: { type: "script" },
  startedDateTime: "2026-03-01T10:15:00.000+01:00",
  time: 12,
  request: {
    method,
    url,
    headers: [{ name: "X-Service-Key", value: "svc_test_of_a_browser" }],
    queryString: [],
    ...request,
  },
  response: {
    status,
    content: {
      mimeType: "application/json; charset=utf-8",
      encoding: "base64",
      text: Buffer.from(JSON.stringify(reply)).toString("base64"),
    },
  },
});

const base = "https://shop.example/service";
const posted = (body: object) => ({
  postData: { mimeType: "application/json", text: JSON.stringify(body) },
});

test("an archive of a browser: other sites, other keys and outages are left out, and people are replaced", async () => {
  const lookup = entry(
    "POST",
    `${base}/v1/verify/bvn`,
    200,
    { status: "verified", data: { first_name: "Zebulon" } },
    posted({ bvn: "22987654321", first_name: "Zebulon", last_name: "Quartermaine" }),
  );
  const other = entry("GET", `${base}/v1/balance`, 200, {});
  other.request.headers = [{ name: "x-service-key", value: "svc_test_of_another" }];
  const archive = {
    log: {
      creator: { name: "Firefox" },
      entries: [
        lookup,
        entry("GET", "https://cdn.example/logo.png", 200, {}),
        entry("GET", `${base}/v1/balance`, 503, {}),
        entry("GET", `${base}/v1/balance`, 0, {}),
        other,
        { request: "none" },
        null,
      ],
    },
  };
  const { entries, leftOut, ...about } = await readArchive(archive);
  expect(about).toEqual({ live: false, isOfSandbox: false });
  expect(leftOut.toSorted()).toEqual([
    "a getBalance that answered 503",
    "a getBalance that answered nothing",
    "requests that are no operation of the interface",
    "requests with another API key than the first request",
  ]);
  const { scenario } = await recordArchive(entries, about);
  expect(scenario.given).toEqual({ clock: "2026-03-01T09:15:00.000Z" });
  expect(scenario.steps).toMatchObject([{ call: "POST /v1/verify/bvn", expect: { status: 200 } }]);
  expect(JSON.stringify(scenario)).not.toMatch(/22987654321|Zebulon|Quartermaine/);
});

test("the fields and files of a form are read where an archive has them as a list", async () => {
  const form = {
    mimeType: "multipart/form-data; boundary=x",
    params: [
      { name: "kind", value: "icon" },
      { name: "platform", value: "ios" },
      { name: "file", fileName: "logo.png", contentType: "image/png", value: "PNG" },
    ],
  };
  const upload = entry("POST", `${base}/v1/tools/store-assets`, 200, {}, { postData: form });
  const { entries } = await readArchive({ log: { entries: [upload] } });
  expect(entries[0]?.form).toMatchObject({
    fields: { kind: "icon", platform: "ios" },
    files: [{ field: "file", filename: "logo.png", type: "image/png" }],
  });
});

/** A form as it is sent, each byte as the character of that number. */
const formText = (file: Uint8Array | string) =>
  [
    '--b\r\nContent-Disposition: form-data; name="kind"\r\n\r\nicon',
    '\r\n--b\r\nContent-Disposition: form-data; name="platform"\r\n\r\nios',
    '\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="logo.png"\r\nContent-Type: image/png\r\n\r\n',
    typeof file === "string" ? file : Buffer.from(file).toString("latin1"),
    "\r\n--b--\r\n",
  ].join("");

/** Parameters as Chrome, Firefox and Playwright write them beside the text of a form. */
const paramsBesideText: [writer: string, params: object[] | undefined][] = [
  [
    "Chrome",
    [
      { name: "kind", value: "icon" },
      { name: "platform", value: "ios" },
      { name: "file", value: "(binary)" },
    ],
  ],
  ["Firefox", []],
  ["a proxy", undefined],
];

test.each(paramsBesideText)(
  "a form whose text the archive has is read from it, with the bytes of its file, as %s writes it",
  async (_writer, params) => {
    const postData = {
      mimeType: "multipart/form-data; boundary=b",
      text: formText(png),
      ...(params && { params }),
    };
    const upload = entry("POST", `${base}/v1/tools/store-assets`, 200, {}, { postData });
    const { entries, leftOut } = await readArchive({ log: { entries: [upload] } });
    expect(leftOut).toEqual([]);
    expect(entries[0]?.form).toMatchObject({
      fields: { kind: "icon", platform: "ios" },
      files: [
        { field: "file", filename: "logo.png", type: "image/png", kept: { bytes: new Uint8Array(png) } },
      ],
    });
  },
);

test.each([
  ["the list of fields alone", { params: paramsBesideText[0]?.[1] }],
  ["a text in which the file is empty", { text: formText("") }],
  ["a text that lost what is not UTF-8", { text: formText("\ufffdPNG\r\n") }],
  ["base64", { encoding: "base64", text: Buffer.from(formText("")).toString("base64") }],
])("a file whose bytes are missing is stood in for by a fixture: %s", async (_form, given) => {
  const postData = { mimeType: "multipart/form-data; boundary=b", ...given };
  const reply = { status: 200, content: { mimeType: "application/zip" } };
  const upload = {
    ...entry("POST", `${base}/v1/tools/store-assets`, 200, {}, { postData }),
    response: reply,
  };
  const archive = { log: { entries: [upload] } };
  const { entries, ...about } = await readArchive(archive);
  const { scenario } = await recordArchive(entries, about);
  expect(scenario.steps).toMatchObject([
    {
      body: { kind: "icon", platform: "ios" },
      files: { file: { fixture: expect.stringMatching(/\.png$/) } },
    },
  ]);
  expect(await failuresOf(archive)).toEqual([]);
});

test("a form that the archive does not have is listed as left out", async () => {
  const postData = { mimeType: "multipart/form-data; boundary=b", params: [] };
  const upload = entry("POST", `${base}/v1/verify/document`, 200, { id: "ver_1" }, { postData });
  const { entries, ...about } = await readArchive({ log: { entries: [upload] } });
  const { scenario, left_out } = await recordArchive(entries, about);
  expect(scenario.steps).toEqual([]);
  expect(left_out).toEqual(["a verifyDocument that answered 200: its form could not be read"]);
});

test("replies that say nothing about the service are left out, and so is what needs them", async () => {
  const start = entry("POST", `${base}/v1/phone/verify/start`, 201, {}, posted({ phone: "08031234567" }));
  const check = {
    id: "phv_0123456789abcdefghjk",
    phone: "+2348031234567",
    status: "verified",
    verified: true,
  };
  const empty = { mimeType: "application/json", size: 212 };
  const withContent = (call: ReturnType<typeof entry>, content: object) => ({
    ...call,
    response: { ...call.response, content },
  });
  const balance = (status: number) => entry("GET", `${base}/v1/balance`, status, { balance: 1 });
  const archived = [
    withContent(start, empty),
    entry("POST", `${base}/v1/phone/verify/check`, 200, check, posted({ id: check.id, code: "123456" })),
    withContent(balance(200), { ...empty, text: "" }),
    withContent(balance(200), { ...empty, text: '{"balance": 1' }),
    withContent(balance(304), { mimeType: "", size: 0 }),
    { ...balance(200), _fromCache: "disk" },
    balance(302),
    entry("GET", `${base}/v1/audits`, 200, []),
  ];
  const archive = { log: { entries: archived } };
  const { entries, leftOut } = await readArchive(archive);
  expect(entries.map(({ operation }) => operation)).toEqual(["listAudits"]);
  expect(leftOut.toSorted()).toEqual([
    "a checkPhoneVerification that answered 200: no reply of the archive shows its phv_0123456789abcdefghjk",
    "a getBalance that answered 200: the archive does not have the text of its reply",
    "a getBalance that answered 200: the client had the reply in its cache",
    "a getBalance that answered 302: a redirect, which the service does not send",
    "a getBalance that answered 304: the client had the reply in its cache",
    "a startPhoneVerification that answered 201: the archive does not have the text of its reply",
  ]);
  expect(await failuresOf(archive)).toEqual([]);
});

test.each([
  "https://gateway.example/v1/vendors/service",
  "https://gateway.example/v1",
  "https://gateway.example/api/v1/balance",
])("the service is found below a path that has its own /v1/: %s", async (mounted) => {
  const calls = [
    entry("GET", `${mounted}/v1/usage?from=2026-01-01&to=2026-01-31`, 200, {}),
    entry("GET", `${mounted}/v1/audits/v1`, 404, { error: { code: "not_found" } }),
  ];
  const { entries } = await readArchive({ log: { entries: calls } });
  expect(entries.map(({ path }) => path)).toEqual([
    "/v1/usage?from=2026-01-01&to=2026-01-31",
    "/v1/audits/v1",
  ]);
});

test("uploads go round, with a fixture in place of each file, whose bytes an archive does not have", async () => {
  const account = sandbox.account();
  await account.clock.freeze(frozenAt);
  const uploads = [
    ["/v1/verify/document", "file", "id-card.png", "image/png"],
    ["/v1/verify/liveness", "file", "selfie.jpg", "image/jpeg"],
    ["/v1/tools/docx-to-pdf", "file", "order.docx", "application/zip"],
    ["/v1/tools/pdf-to-docx", "file", "order.pdf", "application/pdf"],
    ["/v1/tools/audio-convert", "file", "tone.wav", "audio/wav"],
  ] as const;
  for (const [path, field, file, type] of uploads) {
    const form = new FormData();
    const bytes = readFileSync(join(import.meta.dirname, "../../../fixtures/files", file));
    if (type === "audio/wav") form.set("target_format", "mp3");
    form.set(field, new Blob([bytes], { type }), file);
    const init = { method: "POST", headers: { "X-Service-Key": account.key }, body: form };
    const { status } = await fetchFrom(account, path, init);
    expect(status, path).toBe(200);
  }
  const archive = (await archiveOf(account)) as { log: { entries: { request: { postData: object } }[] } };
  expect(archive.log.entries[0]?.request.postData).toEqual({
    mimeType: expect.stringMatching(/^multipart\/form-data; boundary=/),
    params: [{ name: "file", fileName: "id-card.png", contentType: "image/png" }],
  });
  const { entries, ...about } = await readArchive(archive);
  const { scenario } = await recordArchive(entries, about);
  expect(scenario.steps).toHaveLength(uploads.length);
  expect(await failuresOf(archive)).toEqual([]);
});

test.each([
  [[], "is no HTTP archive: it has no log.entries"],
  [{ log: { entries: "none" } }, "is no HTTP archive: it has no log.entries"],
  [{ log: { entries: [{}, {}] } }, "has no request to the service among its 2 entries"],
  [
    { log: { entries: [{}, entry("GET", `${base}/v1/balance`, 503, {})] } },
    "has no request to the service among its 2 entries that a run could repeat: a getBalance that answered 503",
  ],
])("what is no archive of the service is refused: %j", async (document, message) => {
  await expect(readArchive(document)).rejects.toThrow(new NotAnArchive(message));
});

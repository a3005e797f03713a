import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { field, file, formOf, formType, type Part, png } from "../support/forms.js";
import { everyOperation, expectHeldUp, hostileValues } from "../support/hostile.js";
import { send } from "../support/raw.js";
import { propertyRuns, shareOf } from "../support/repetitions.js";
import { requestOf, rightFields } from "../support/requests.js";
import { useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();
const uploads = everyOperation.filter(({ upload }) => upload);

afterEach(async () => {
  expect(sandbox.warnings).toEqual([]);
  expect(await (await fetch(`${sandbox.url}/healthz`)).json()).toEqual({ status: "ok" });
  expect({}).not.toHaveProperty("polluted");
});

test("a form with a file of the wrong type followed by a truncated file is refused as damaged", async () => {
  const docx = Buffer.from(`PK\x03\x04${"\0".repeat(26)}word/document.xml`, "latin1");
  const form = formOf([file("selfie", docx, "selfie.docx"), file("id_photo", png, "id.png")]);
  const account = sandbox.account();
  const response = await account.fetch("/v1/verify/face-match", {
    method: "POST",
    headers: { "Content-Type": formType },
    body: new Uint8Array(form.subarray(0, form.length - 60)),
  });
  expect([400, 415]).toContain(response.status);
});

const many = (count: number, part: (index: number) => Part): Part[] =>
  Array.from({ length: count }, (_, index) => part(index));

const withHeaders = (...headers: string[]): Part => ({ headers, content: png });

/** Invalid parts that are sent along with valid ones. */
const wrongParts: Record<string, readonly Part[]> = {
  "no headers": [withHeaders()],
  "a header without a colon": [withHeaders("Content-Disposition")],
  "a header of 100 KB": [withHeaders(`X-Long: ${"x".repeat(100_000)}`)],
  "a thousand headers": [withHeaders(...many(1_000, () => field("a", "")).map((_, at) => `X-${at}: 1`))],
  "no name": [
    withHeaders("Content-Disposition: form-data"),
    withHeaders("Content-Disposition: form-data; name="),
  ],
  "a file name but no field name": [withHeaders('Content-Disposition: form-data; filename="a.png"')],
  "another disposition": [withHeaders('Content-Disposition: attachment; name="file"; filename="a.png"')],
  "an encoding": [
    withHeaders('Content-Disposition: form-data; name="x"', "Content-Transfer-Encoding: base64"),
  ],
  "an odd file name": [withHeaders("Content-Disposition: form-data; name=\"x\"; filename*=utf-99''%ff%zz")],
  "a file name with ../": [file("x", png, "../../../etc/passwd\u0000.png")],
  "a form within the form": [
    withHeaders('Content-Disposition: form-data; name="x"', `Content-Type: ${formType}`),
  ],
  "200 fields": many(200, (index) => field(`f${index}`, "1")),
  "200 fields of one name": many(200, () => field("x", "1")),
  "200 files": many(200, (index) => file(`f${index}`, png)),
  "a field of 100 KB": [field("x", "x".repeat(100_000))],
  "a field name of 5 KB": [field("x".repeat(5_000), "1")],
  "a file's field name of 5 KB": [file("x".repeat(5_000), png)],
  "a file in an unknown field": [file("unexpected", png)],
  "a file in __proto__": [file("__proto__", png), file("constructor", png)],
  "fields that target the prototype": [
    field("__proto__[polluted]", "1"),
    field("constructor[prototype][polluted]", "1"),
  ],
  "nested fields": [
    field("a[b][c][d]", "1"),
    field("a", "1"),
    field("a[]", "1"),
    field("a[b", "1"),
    field("[", "1"),
  ],
  "fields with huge indexes": [
    field("a[999999999]", "1"),
    field("b[4294967295]", "1"),
    field("c[99999999999]", "1"),
  ],
};

describe.each(uploads.map((operation, turn) => [operation.id, operation, turn] as const))(
  "%s",
  (_id, operation, turn) => {
    const account = () => sandbox.account().key;
    const names = Object.keys(operation.upload ?? {});
    const right: Part[] = [
      ...Object.entries(rightFields(operation)).map(([name, text]) => field(name, String(JSON.parse(text)))),
      ...names.map((name) => file(name, png)),
    ];
    const holdsUp = async (key: string, body: Uint8Array | string, type = formType): Promise<void> => {
      const headers = { "X-Service-Key": key, "Content-Type": type };
      expectHeldUp(await send(sandbox.url, requestOf(operation, { body, headers })), operation);
    };

    test.each(shareOf(Object.entries(wrongParts), 6, turn))(
      "tolerates a form with %s",
      async (_what, parts) => {
        const key = account();
        await holdsUp(key, formOf([...parts, ...right]));
        await holdsUp(key, formOf([...right, ...parts]));
      },
    );

    test("tolerates any value in each field", async () => {
      const key = account();
      for (const part of right.filter(({ headers }) => headers.length === 1)) {
        const others = right.filter((other) => other !== part);
        for (const content of shareOf(hostileValues, 8, turn))
          await holdsUp(key, formOf([...others, { ...part, content }]));
      }
    });

    test("tolerates a form that does not match its content type", async () => {
      const key = account();
      const form = formOf(right);
      for (const type of shareOf(["", "=", "=other", '=""', `="${"b".repeat(200)}"`, "=\u00e9"], 3, turn))
        await holdsUp(key, form, `multipart/form-data; boundary${type}`);
      const unix = form.toString("latin1").replaceAll("\r\n", "\n");
      for (const body of shareOf(["", "--", "\r\n", "{}", unix], 3, turn)) await holdsUp(key, body);
    });

    test("tolerates a form that is truncated or damaged anywhere", async () => {
      const key = account();
      const form = formOf(right);
      await fc.assert(
        fc.asyncProperty(fc.nat(form.length), fc.nat(form.length - 1), fc.nat(255), async (end, at, byte) => {
          await holdsUp(key, form.subarray(0, end));
          const damaged = Buffer.from(form);
          damaged[at] = byte;
          await holdsUp(key, damaged);
        }),
        propertyRuns(5, 100),
      );
    });
  },
);

describe("a form is read however its boundary is written", () => {
  const boundary = /boundary=(.+)$/.exec(formType)?.[1] as string;
  const scan = async (type: string, headers: Record<string, string> = {}) => {
    const response = await sandbox.account().fetch("/v1/media-scan/image", {
      method: "POST",
      headers: { "Content-Type": type, ...headers },
      body: new Uint8Array(formOf([file("file", png, "a.png")])),
    });
    return { status: response.status, body: (await response.json()) as { error?: { message: string } } };
  };

  test.each([
    `multipart/form-data; boundary=${boundary};`,
    `multipart/form-data; boundary="${boundary}"`,
    `Multipart/Form-Data;boundary=${boundary}; charset=utf-8`,
  ])("%s", async (type) => {
    expect((await scan(type)).status).toBe(201);
  });

  test("but not if it is compressed", async () => {
    const { status, body } = await scan(formType, { "Content-Encoding": "gzip" });
    expect([status, body.error?.message]).toEqual([
      415,
      "The form must be uncompressed; the request says gzip.",
    ]);
  });
});

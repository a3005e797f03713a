import { describe, expect, test } from "vitest";
import { field, file, formType, png, pngOf } from "../support/forms.js";
import { jpegOfSize, webpOfSize } from "../support/pictures.js";
import { converse, headOf, type RawReply } from "../support/raw.js";
import { post, useListeningSandbox } from "../support/sandbox.js";
import { beginUpload, documentPath, photoLimit, upload } from "../support/uploads.js";

const sandbox = useListeningSandbox();
const faceMatch = "/v1/verify/face-match";
const megabyte = 1024 * 1024;

const refused = (status: number, code: string, param: string) => ({
  status,
  body: { error: { code, param } },
});

describe("size", () => {
  test("a photo of exactly 15 MB is accepted", async () => {
    const { status } = await upload(sandbox.account(), [file("file", pngOf(photoLimit))]);
    expect(status).toBe(200);
  });

  test("each of two photos may have 15 MB, and not a byte more", async () => {
    const account = sandbox.account();
    const selfie = file("selfie", pngOf(photoLimit));
    const { status } = await upload(account, [selfie, file("id_photo", pngOf(photoLimit))], faceMatch);
    expect(status).toBe(200);
    const reply = await upload(
      account,
      [file("selfie", png), file("id_photo", pngOf(photoLimit + 1))],
      faceMatch,
    );
    expect(reply).toMatchObject(refused(413, "file_too_large", "id_photo"));
  });

  test("one byte more is refused as soon as it arrives, while the client is still sending", async () => {
    const { sendChunk, reply, hangUp } = await beginUpload(sandbox.account());
    const photo = pngOf(photoLimit + 1);
    for (let at = 0; at < photo.length; at += megabyte) await sendChunk(photo.subarray(at, at + megabyte));
    const { status, body } = await reply();
    expect({ status, body: JSON.parse(body) }).toMatchObject(refused(413, "file_too_large", "file"));
    await hangUp();
  });

  test.each([
    ["file", file("file", "")],
    ["field", field("note", "")],
    ["file in an unknown field", file("other", "")],
  ])("an endless %s is refused during the upload", async (_what, part) => {
    const { sendChunk, reply, hangUp } = await beginUpload(sandbox.account(), part);
    let answer: RawReply | null = null;
    void reply().then((whole) => {
      answer = whole;
    });
    let sent = 0;
    while (answer === null && sent < 40) {
      await sendChunk(Buffer.alloc(megabyte));
      sent++;
    }
    expect(sent).toBeLessThan(40);
    expect(answer).toMatchObject({ status: 413 });
    await hangUp();
  });

  test("a Content-Length that no valid form can have is refused before the body is sent", async () => {
    const { write, reply, hangUp } = converse(sandbox.url);
    const headers = {
      "X-Service-Key": sandbox.account().key,
      "Content-Type": formType,
      "Content-Length": String(20 * megabyte),
    };
    await write(headOf({ method: "POST", target: documentPath, headers }));
    expect(await reply()).toMatchObject({ status: 413 });
    await hangUp();
  });
});

describe("content", () => {
  const profile = Buffer.concat([Buffer.from([0, 0, 0x40, 0]), Buffer.from("iCCP"), Buffer.alloc(0x4004)]);
  test.each([
    ["PNG", png],
    [
      "PNG with a long profile before its picture",
      Buffer.concat([png.subarray(0, 33), profile, png.subarray(33)]),
    ],
    ["JPEG", jpegOfSize(1, 1)],
    ["WebP", webpOfSize(1, 1)],
  ])("a %s is accepted, whatever its name", async (_kind, content) => {
    const { status } = await upload(sandbox.account(), [file("file", content, "photo.txt")]);
    expect(status).toBe(200);
  });

  test.each([
    ["text", Buffer.from("Dear Sir or Madam"), "none of these"],
    ["PDF", Buffer.from("%PDF-1.7\n"), "application/pdf"],
    ["GIF", Buffer.from("GIF89a\x01\x00\x01\x00\x00\x00\x00;", "latin1"), "image/gif"],
  ])("a %s named .png is refused with the type that its bytes show", async (_kind, content, shown) => {
    const reply = await upload(sandbox.account(), [file("file", content, "photo.png")]);
    expect(reply).toMatchObject(refused(415, "unsupported_media_type", "file"));
    const message = `file must be image/png, image/jpeg, image/webp; its bytes show ${shown}.`;
    expect(reply.body.error.message).toBe(message);
  });

  test("an empty file is refused", async () => {
    const reply = await upload(sandbox.account(), [file("file", "")]);
    expect(reply).toMatchObject(refused(400, "validation_error", "file"));
  });

  test.each([
    ["nothing", []],
    ["a text instead of the file", [field("file", "photo.png")]],
    ["an empty file input", [file("file", "", "")]],
  ])("a form with %s is refused with the name of the missing file", async (_what, parts) => {
    const reply = await upload(sandbox.account(), parts);
    expect(reply).toMatchObject(refused(400, "missing_field", "file"));
  });

  const unnamed = (type: string, content: Uint8Array) => ({
    headers: ['Content-Disposition: form-data; name="file"', `Content-Type: ${type}`],
    content,
  });
  test.each([
    ["a picture", unnamed("image/png", png)],
    ["a picture of 200 KB", unnamed("image/png", pngOf(200_000))],
    ["bytes", unnamed("application/octet-stream", png)],
    ["bytes of 200 KB", unnamed("application/octet-stream", pngOf(200_000))],
    ["bytes whose name is a folder", file("file", png, "photos/")],
    ["a text", field("file", "photo.png")],
  ])("%s in a part without a file name: the refusal says that the name is missing", async (_what, part) => {
    const reply = await upload(sandbox.account(), [part]);
    expect(reply).toMatchObject(refused(400, "missing_field", "file"));
    expect(reply.body.error.message).toMatch(
      /^file arrived as a text field, since its part has no file name/,
    );
  });

  test("an empty file input beside the file is not looked at", async () => {
    const { status } = await upload(sandbox.account(), [file("file", png), file("other", "", "")]);
    expect(status).toBe(200);
  });

  test("a form with one of two files is refused with the name of the other one", async () => {
    const reply = await upload(sandbox.account(), [file("selfie", png)], faceMatch);
    expect(reply).toMatchObject(refused(400, "missing_field", "id_photo"));
  });

  test("two files in one field are refused", async () => {
    const reply = await upload(sandbox.account(), [file("file", png), file("file", png)]);
    expect(reply).toMatchObject(refused(400, "validation_error", "file"));
    expect(reply.body.error.message).toBe("file has more than one file; send one.");
  });

  test("JSON instead of a form is refused, and so is a form without a boundary", async () => {
    const account = sandbox.account();
    const wrong = refused(415, "unsupported_media_type", "Content-Type");
    expect(await post(account, documentPath, {})).toMatchObject(wrong);
    for (const type of [
      "multipart/form-data",
      "multipart/form-data; boundary",
      "multipart/form-data; boundary=",
    ])
      expect(await post(account, documentPath, "", { "Content-Type": type })).toMatchObject(wrong);
  });
});

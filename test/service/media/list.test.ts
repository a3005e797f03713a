import { describe, expect, test } from "vitest";
import { file, png } from "../../support/forms.js";
import { call, post, useSandbox } from "../../support/sandbox.js";
import { upload } from "../../support/uploads.js";
import { videoOf } from "../../support/videos.js";
import { essay } from "./texts.js";

const sandbox = useSandbox();
const path = "/v1/media-scan";

describe("the history of media scans", () => {
  test("is empty on a new account", async () => {
    const { status, body } = await call(sandbox.account(), "GET", path);
    expect([status, body]).toEqual([200, []]);
  });

  test("has the newest first, each with the fields of the list, and is filtered by media_type", async () => {
    const account = sandbox.account();
    const made = [
      (await post(account, `${path}/text`, { text: essay })).body,
      (await upload(account, [file("file", png)], `${path}/image`)).body,
      (await upload(account, [file("file", await videoOf("mp4", { seconds: 3 }))], `${path}/video`)).body,
      (await post(account, `${path}/text`, { text: essay })).body,
    ];
    const items = made
      .map(({ id, media_type, status, verdict, signal_count, cost, created_at }) => ({
        id,
        media_type,
        status,
        verdict,
        signal_count,
        cost,
        created_at,
      }))
      .reverse();
    expect(items.map(({ media_type, cost }) => [media_type, cost])).toEqual([
      ["text", 150],
      ["video", 800],
      ["image", 0],
      ["text", 0],
    ]);
    expect((await call(account, "GET", path)).body).toEqual(items);
    for (const type of ["image", "video", "text"])
      expect((await call(account, "GET", `${path}?media_type=${type}`)).body).toEqual(
        items.filter(({ media_type }) => media_type === type),
      );
  });

  test.each(["audio", "IMAGE", "", "image&media_type=text", "__proto__"])(
    "is not filtered by media_type=%s",
    async (type) => {
      const { status, body } = await call(sandbox.account(), "GET", `${path}?media_type=${type}`);
      expect([status, body.error.code, body.error.param]).toEqual([400, "validation_error", "media_type"]);
    },
  );

  test("has the newest 100, of all types or of the requested one", async () => {
    const account = sandbox.account();
    await account.update({ balance: 1_000_000 });
    const image = (await upload(account, [file("file", png)], `${path}/image`)).body.id;
    const texts: string[] = [];
    for (let at = 0; at < 102; at++)
      texts.push((await post(account, `${path}/text`, { text: essay })).body.id);
    const newest = texts.reverse().slice(0, 100);
    const listed = async (query: string): Promise<string[]> =>
      (await call(account, "GET", path + query)).body.map(({ id }: { id: string }) => id);
    expect(await listed("")).toEqual(newest);
    expect(await listed("?media_type=text")).toEqual(newest);
    expect(await listed("?media_type=image")).toEqual([image]);
  });

  test("is not shown to another account", async () => {
    await post(sandbox.account(), `${path}/text`, { text: essay });
    expect((await call(sandbox.account(), "GET", path)).body).toEqual([]);
  });
});

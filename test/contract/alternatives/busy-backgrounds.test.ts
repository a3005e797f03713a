import { describe, expect, test } from "vitest";
import { busyPhoto, plainPhoto, removeBackground } from "../../support/backgrounds.js";
import { useSandbox } from "../../support/sandbox.js";
import { useAlternative } from "./use-alternative.js";

describe("refused", () => {
  const sandbox = useAlternative("files.background", "refused");

  test("a photo before a wall of bricks is refused, with the confidence of its cut", async () => {
    const { status, body } = await removeBackground(sandbox.account(), await busyPhoto(), "bricks.png");
    expect(status).toBe(422);
    expect(body.error).toMatchObject({
      code: "file_unreadable",
      param: "file",
      message:
        '"bricks.png": its background is not plain enough to be told from the object (confidence 0.00); send a picture on a plain background.',
    });
  });

  test("a photo before a plain wall is cut out", async () => {
    expect((await removeBackground(sandbox.account(), await plainPhoto(), "plain.png")).status).toBe(200);
  });
});

describe("noted, the default", () => {
  const sandbox = useSandbox();

  test("a photo before a wall of bricks is returned with the lowest confidence", async () => {
    const { status, headers } = await removeBackground(sandbox.account(), await busyPhoto(), "bricks.png");
    expect([status, headers.get("X-Sandbox-Cut-Confidence")]).toEqual([200, "0.00"]);
  });

  test("a photo before a plain wall is returned with a high confidence", async () => {
    const { headers } = await removeBackground(sandbox.account(), await plainPhoto(), "plain.png");
    expect(Number(headers.get("X-Sandbox-Cut-Confidence"))).toBeGreaterThan(0.9);
  });
});

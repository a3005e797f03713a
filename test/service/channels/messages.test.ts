import { beforeEach, describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { useSandbox } from "../../support/sandbox.js";
import { type Line, mainLine, newLine, outcome, person, refusal } from "./line.js";

const sandbox = useSandbox();
const image = { link: "https://shop.example/receipt.png" };
const document = { link: "https://shop.example/receipt.pdf", filename: "receipt.pdf" };
const reached = { sent: 1, session_active: true };
const notReached = { sent: 0, session_active: false };

let account: SandboxAccount;
let line: Line;
beforeEach(async () => {
  account = sandbox.account();
  await account.clock.freeze();
  line = await mainLine(account);
});

/** Returns the messages to the person. */
const got = async (to = person) =>
  (await account.inbox.list({ to, channel: "chat" })).map(({ text }) => text);

describe("a message to a person who has written", () => {
  beforeEach(() => line.hears("Hello"));

  test("is sent once and appears in the chat inbox", async () => {
    const { status, body } = await line.send({ text: "Ẹ káàbọ̀! https://shop.example/42" });
    expect(status).toBe(200);
    expect(body).toEqual(reached);
    expect(await line.last()).toMatchObject({
      channel: "chat",
      to: person,
      from: line.id,
      text: "Ẹ káàbọ̀! https://shop.example/42",
      codes: [],
      links: ["https://shop.example/42"],
    });
  });

  test("may be an image, with or without a caption", async () => {
    expect((await line.send({ image })).body).toEqual(reached);
    expect((await line.send({ image: { ...image, caption: "Your receipt" } })).body).toEqual(reached);
    expect(await got()).toEqual([`Your receipt\n[image] ${image.link}`, `[image] ${image.link}`]);
    expect((await line.last()).links).toEqual([image.link]);
  });

  test("may be a document with its file name, with or without a caption", async () => {
    expect((await line.send({ document })).body).toEqual(reached);
    expect((await line.send({ document: { ...document, caption: "Paid" } })).body).toEqual(reached);
    const shown = `[document receipt.pdf] ${document.link}`;
    expect(await got()).toEqual([`Paid\n${shown}`, shown]);
  });

  test.each<[string, object]>([
    ["nothing", {}],
    ["text and image", { text: "a", image }],
    ["text and document", { text: "a", document }],
    ["image and document", { image, document }],
    ["all three", { text: "a", image, document }],
    ["a text of null, which is the same as none,", { text: null }],
  ])("is exactly one of text, image and document: %s is refused", async (_what, body) => {
    const reply = await line.send(body);
    expect(refusal(reply)).toBe("400 validation_error");
    expect(reply.body.error.message).toContain("must have exactly one of text, image and document.");
    expect(await got()).toEqual([]);
  });

  test.each<[object, string]>([
    [{ text: "" }, "text"],
    [{ text: "x".repeat(4_097) }, "text"],
    [{ text: 7 }, "text"],
    [{ image: "https://shop.example/a.png" }, "image"],
    [{ image: {} }, "image.link"],
    [{ image: { link: "receipt.png" } }, "image.link"],
    [{ image: { link: "ftp://shop.example/a.png" } }, "image.link"],
    [{ image: { link: "javascript:alert(1)" } }, "image.link"],
    [{ image: { link: `https://shop.example/${"a".repeat(2_048)}` } }, "image.link"],
    [{ image: { ...image, caption: "x".repeat(1_025) } }, "image.caption"],
    [{ document: { link: document.link } }, "document.filename"],
    [{ document: { ...document, filename: "" } }, "document.filename"],
    [{ document: { ...document, filename: "x".repeat(256) } }, "document.filename"],
    [{ to: "08031234567", text: "a" }, "to"],
    [{ to: "+2348031234567", text: "a" }, "to"],
    [{ to: undefined, text: "a" }, "to"],
  ])("of %j is refused", async (body, param) => {
    const { status, body: reply } = await line.send(body);
    expect(status).toBe(400);
    expect(reply.error.param).toBe(param);
    expect(await got()).toEqual([]);
  });

  test("may have as many characters as the messaging app allows", async () => {
    expect((await line.send({ text: "ẹ".repeat(4_096) })).body).toEqual(reached);
    expect((await line.send({ image: { ...image, caption: "ẹ".repeat(1_024) } })).body).toEqual(reached);
    expect((await line.send({ document: { ...document, filename: "x".repeat(255) } })).body).toEqual(reached);
  });
});

describe("images and documents need the Business plan", () => {
  test.each(["starter", "growth"] as const)(
    "on the plan %s they are refused, and text is sent",
    async (plan) => {
      await line.hears("Hello");
      await account.update({ plan });
      for (const body of [{ image }, { document }]) {
        const reply = await line.send(body);
        expect(refusal(reply)).toBe("403 plan_required");
        expect(reply.body.error).toMatchObject({ required_plan: "business" });
        expect(reply.body.error.message).toContain(plan);
      }
      expect((await line.send({ text: "Hi" })).body).toEqual(reached);
    },
  );

  test("the plan is checked after the fields and before the channel", async () => {
    await account.update({ plan: "growth" });
    const nowhere = await newLine(account);
    expect(refusal(await nowhere.send({ image, text: "a" }))).toBe("400 validation_error");
    expect(refusal(await nowhere.send({ image }))).toBe("403 plan_required");
    expect(refusal(await nowhere.send({ text: "a" }))).toBe("409 channel_not_connected");
  });
});

describe("replies go only to people who messaged within 24 to 72 hours, depending on plan", () => {
  const windows = [
    ["starter", 24],
    ["growth", 48],
    ["business", 72],
  ] as const;

  test.each(windows)("on the plan %s for %i hours", async (plan, hours) => {
    await account.update({ plan });
    await line.hears("Hello");
    await account.advance(`${hours - 1}h59m59s`);
    await account.advance("999ms");
    expect((await line.send({ text: "just in time" })).body).toEqual(reached);
    await account.advance("1ms");
    const late = await line.send({ text: "too late" });
    expect(late.status).toBe(200);
    expect(late.body).toEqual(notReached);
    expect(late.headers.get("X-Sandbox-Outcome")).toBe("window_closed; by=default");
    expect(await got()).toEqual(["just in time"]);
  });

  test("a message to a person who never wrote is not sent", async () => {
    expect((await line.send({ text: "Hello?" })).body).toEqual(notReached);
    expect(await got()).toEqual([]);
  });

  test("the person's next message reopens the window; a message to the person does not", async () => {
    await line.hears("Hello");
    await account.advance("71h");
    expect((await line.send({ text: "Hi" })).body).toEqual(reached);
    await account.advance("1h");
    expect((await line.send({ text: "Hi" })).body).toEqual(notReached);
    await line.hears("Hello again");
    expect((await line.send({ text: "Hi" })).body).toEqual(reached);
  });

  test("a window belongs to one person on one channel", async () => {
    await line.hears("Hello");
    const other = await newLine(account);
    await other.connect();
    await other.move(other.id, "scan");
    expect((await other.send({ text: "Hi" })).body).toEqual(notReached);
    expect((await line.send({ to: "2348039999999", text: "Hi" })).body).toEqual(notReached);
    expect((await line.send({ text: "Hi" })).body).toEqual(reached);
  });

  test("the plan at the time of sending decides", async () => {
    await line.hears("Hello");
    await account.advance("30h");
    expect((await line.send({ text: "Hi" })).body).toEqual(reached);
    await account.update({ plan: "starter" });
    expect((await line.send({ text: "Hi" })).body).toEqual(notReached);
    await account.update({ plan: "growth" });
    expect((await line.send({ text: "Hi" })).body).toEqual(reached);
  });
});

describe("the outcome of a message", () => {
  test.each([
    ["2348000000007", "window_closed"],
    ["2348000000008", "not_on_app"],
  ])("to the test value %s is %s, though the person has written", async (to, name) => {
    await line.hears("Hello", to);
    const reply = await line.send({ to, text: "Hi" });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual(notReached);
    expect(reply.headers.get("X-Sandbox-Outcome")).toBe(`${name}; by=test-value`);
    expect(await got(to)).toEqual([]);
  });

  test.each(["window_closed", "not_on_app"])("%s by header reaches no one", async (name) => {
    await line.hears("Hello");
    expect((await line.send({ text: "Hi" }, outcome(name))).body).toEqual(notReached);
    expect(await got()).toEqual([]);
  });

  test("sent, by header or rule, reaches even a person who never wrote", async () => {
    expect((await line.send({ text: "one" }, outcome("sent"))).body).toEqual(reached);
    await account.rules.add({ on: "sendChannelMessage", outcome: "sent", times: 1 });
    expect((await line.send({ text: "two" })).body).toEqual(reached);
    expect((await line.send({ text: "three" })).body).toEqual(notReached);
    expect(await got()).toEqual(["two", "one"]);
  });

  test("an error changes nothing", async () => {
    await line.hears("Hello");
    expect(refusal(await line.send({ text: "Hi" }, outcome("provider_unavailable")))).toBe(
      "503 provider_unavailable",
    );
    expect(await got()).toEqual([]);
  });
});

import { beforeEach, describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { useSandbox } from "../../support/sandbox.js";
import { type Line, mainLine, newLine, person, refusal, somebody } from "./line.js";

const sandbox = useSandbox();

let account: SandboxAccount;
let line: Line;
beforeEach(async () => {
  account = sandbox.account();
  await account.clock.freeze();
  line = await mainLine(account);
});

const pending = (id: string, attempts = 0) => ({
  id,
  kind: "identity",
  status: "pending",
  attempts,
  resolved_at: null,
});

describe("a message from a person", () => {
  test("is stored like any other message, and opens the reply window", async () => {
    await line.question();
    await line.hears("  NGOZI! ");
    const [message] = await account.inbox.list();
    expect(message).toMatchObject({ channel: "chat", to: line.id, from: person, text: "  NGOZI! " });
    expect((await line.send({ text: "Thank you" })).body).toEqual({ sent: 1, session_active: true });
  });

  test("answers only a question to that person on that channel", async () => {
    const other = await newLine(account);
    await other.connect();
    await other.move(other.id, "scan");
    const id = await line.question();
    await line.hears("Ngozi", somebody(1));
    await other.hears("Ngozi");
    expect(await line.result(id)).toEqual(pending(id));
    expect(refusal(await other.ask("GET", `/verify-identity/${id}`))).toBe("404 resource_not_found");
  });

  test("answers the newest open question, and once it has ended the previous one", async () => {
    const oldest = await line.question({ expected: "one" });
    const ended = await line.question({ expected: "two", ttl_minutes: 1 });
    const newest = await line.question({ expected: "three", max_attempts: 2 });
    await line.hears("one");
    expect(await line.result(oldest)).toEqual(pending(oldest));
    expect(await line.result(newest)).toEqual(pending(newest, 1));
    await line.hears("three");
    expect(await line.result(newest)).toMatchObject({ status: "verified" });
    await account.advance("1m");
    await line.hears("one");
    expect(await line.result(oldest)).toMatchObject({ status: "verified", attempts: 1 });
    expect(await line.result(ended)).toMatchObject({ status: "expired", attempts: 0 });
    await line.hears("two");
  });

  test("a question that was asked after others had ended is answered", async () => {
    await line.question({ max_attempts: 1 });
    await line.hears("wrong");
    await line.hears("Hello");
    const id = await line.question();
    await line.hears("Ngozi");
    expect(await line.result(id)).toMatchObject({ status: "verified", attempts: 1 });
  });
});

import { expect, test } from "vitest";
import { JsonText } from "../../src/contract/reply-forms.js";
import { formatLarge } from "../../src/server/large-reply.js";

test("a reply of more than 64 MB that is already text, such as a snapshot, is sent unchanged", () => {
  const pieces = Array.from({ length: 1_001 }, () => Buffer.from("1"));
  expect(formatLarge(new JsonText(pieces))).toBeNull();
});

test("a reply with a long list is serialized over several turns, with the same result", async () => {
  const body = { now: "2030", items: Array.from({ length: 1_001 }, (_, i) => ({ i })), next: undefined };
  const text = await formatLarge(body);
  expect(Buffer.concat(text?.pieces as Buffer[]).toString()).toBe(JSON.stringify(body));
});

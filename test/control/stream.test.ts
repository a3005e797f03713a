/** The live stream of an account's activities. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  readActivity,
  SandboxClient,
  type StreamEvent,
  type StreamOptions,
} from "../../src/client/client.js";
import { type ActivityEntry, type Sandbox, type SandboxAccount, startSandbox } from "../../src/index.js";
import { call } from "../support/sandbox.js";
import { until } from "../support/until.js";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ validateReplies: true });
});
afterAll(() => sandbox.close());

/** Reads an account's stream once it reports that it is open. */
async function follow({ baseUrl, key }: SandboxAccount, options: StreamOptions = {}) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const events: StreamEvent[] = [];
  const client = new SandboxClient({ baseUrl, key });
  const reading = (async () => {
    for await (const event of readActivity(client, { signal: stop.signal, ...options })) events.push(event);
  })();
  await until("the stream is open", () => events.length > 0);
  return { events, ended: reading, stop: () => stop.abort() };
}

const activities = (events: readonly StreamEvent[]) =>
  events.filter(({ event }) => event === "activity").map(({ data }) => data as ActivityEntry);

test("shows a request, its effects and its end as they happen", async () => {
  const account = sandbox.account();
  const { events } = await follow(account);
  await call(account, "POST", "/v1/phone/verify/start", { phone: "+2348031234567" });
  const seen = await until("the reply", () => {
    const all = activities(events);
    return all.at(-1)?.call?.status === 201 && all;
  });
  expect(seen.map(({ kind }) => kind).sort()).toEqual(["message", "move", "request", "request"]);
  expect(seen[0]).toMatchObject({ kind: "request", call: { status: null } });
});

test("shows the clock at the start and when it is set", async () => {
  const account = sandbox.account();
  const { events } = await follow(account);
  expect(events[0]).toMatchObject({ event: "clock", data: { mode: "running" } });
  await account.clock.freeze();
  await until("the frozen clock", () =>
    events.some(({ event, data }) => event === "clock" && (data as { mode: string }).mode === "frozen"),
  );
});

test("continues where a reader stopped", async () => {
  const account = sandbox.account();
  const first = await follow(account);
  await call(account, "GET", "/v1/balance?first");
  const last = await until("the first", () => first.events.findLast(({ event }) => event === "activity"));
  first.stop();
  await call(account, "GET", "/v1/balance?second");
  const { events } = await follow(account, { lastEventId: last.id });
  expect(activities(events).map(({ title }) => title)).toEqual(["GET /v1/balance?second"]);
});

test("reports missing activities if the account was reset or the id is from another process", async () => {
  const account = sandbox.account();
  const { events } = await follow(account, { lastEventId: "mws1tkms-7" });
  expect(events[0]?.event).toBe("gap");
  await account.reset();
  await until("the reset", () => events.filter(({ event }) => event === "gap").length === 2);
});

test("does not show another account's activities", async () => {
  const [account, stranger] = [sandbox.account(), sandbox.account()];
  const { events } = await follow(account);
  await call(stranger, "GET", "/v1/balance?stranger");
  await call(account, "GET", "/v1/balance?own");
  await until("its own", () => activities(events).length > 0);
  expect(activities(events).map(({ title }) => title)).toEqual(["GET /v1/balance?own"]);
});

test("buffers nothing for a slow reader, which is told about the gap", async () => {
  const account = sandbox.account();
  const response = await account.fetch("/_sandbox/stream");
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  onTestFinished(() => reader.cancel());
  await reader.read();
  const path = `/v1/balance?${"x".repeat(14_000)}`;
  for (let count = 0; count < 1_250; count++) await account.fetch(path);
  let text = "";
  const decoder = new TextDecoder();
  while (!text.includes("event: gap")) {
    const { value, done } = await reader.read();
    expect(done).toBe(false);
    text += decoder.decode(value);
  }
});

test("ends when the sandbox stops", async () => {
  const other = await startSandbox();
  const { ended } = await follow(other.account());
  await other.close();
  await ended;
});

test("is refused to a page from another origin", async () => {
  const account = sandbox.account();
  const response = await account.fetch("/_sandbox/stream", { headers: { Origin: "http://evil.example" } });
  expect(response.status).toBe(403);
  await response.body?.cancel();
});

test("is read as activities by the library", async () => {
  const account = sandbox.account();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const seen: ActivityEntry[] = [];
  const reading = (async () => {
    for await (const activity of account.activity.stream({ signal: stop.signal })) seen.push(activity);
  })();
  await until("the activity of a request", async () => {
    await call(account, "GET", "/v1/balance");
    return seen.some(({ call: done }) => done?.status === 200);
  });
  stop.abort();
  await reading;
  expect(new Set(seen.map(({ title }) => title))).toEqual(new Set(["GET /v1/balance"]));
});

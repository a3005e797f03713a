import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { SandboxAccount } from "../../src/client/account/account.js";
import { createSandboxServer } from "../../src/sandbox.js";
import type { World } from "../../src/world/world.js";
import { accountFile, filesBelow, freshFolder } from "../support/folder.js";
import { openOn } from "../support/folder-sandbox.js";
import { call, post } from "../support/sandbox.js";
import { until } from "../support/until.js";

const key = "svc_test_journal";

test("requests survive a restart with what may be stored of them, and a reset removes them", async () => {
  const folder = freshFolder();
  const first = await openOn(folder);
  const account = first.account(key);
  const started = await post(account, "/v1/phone/verify/start", { phone: "08031234567", reference: "Ada" });
  await post(account, "/v1/audits", { url: "http://shop.example", tier: "deep" });
  await call(account, "GET", "/v1/media-scan?media_type=image&note=Ada");
  await post(account, "/v1/phone/verify/start", { phone: "12" });
  const before = await account.requests.list();
  await first.stop();

  const second = await openOn(folder);
  const again = second.account(key);
  await call(again, "GET", "/v1/balance");
  const [newest, ...earlier] = await again.requests.list();
  expect(newest).toMatchObject({ path: "/v1/balance" });
  const kept = ({ body, reply, path, reply_headers, ...others }: (typeof before)[number]) => others;
  expect(earlier.map(kept)).toEqual(before.map(kept));
  const ofReply = earlier[0]?.reply_headers ?? {};
  expect(Object.keys(ofReply)).toEqual(["Content-Type", "Content-Length", "Date", "X-Request-Id"]);
  expect(before[0]?.reply_headers).toMatchObject(ofReply);
  const [refused, listed, audited, sent] = earlier.map(({ path, body, reply }) => ({
    path,
    body: JSON.parse(body ?? "null"),
    reply: JSON.parse(reply ?? "null"),
  }));
  expect(sent?.body).toEqual({ phone: "[redacted]", reference: "[redacted]" });
  expect(sent?.reply).toEqual({ ...started.body, phone: "[redacted]", reference: "[redacted]" });
  expect(audited?.body).toEqual({ url: "[redacted]", tier: "deep" });
  expect(listed?.path).toBe("/v1/media-scan?media_type=image&[redacted]=[redacted]");
  expect(refused?.reply.error).toMatchObject({
    code: "invalid_phone",
    param: "phone",
    message: "[redacted]",
  });
  await again.requests.expect({ operation: "createAudit", body: { tier: "deep" } });
  await again.reset();
  expect(await again.requests.list()).toEqual([]);
  await second.stop();
  expect(await (await openOn(folder)).account(key).requests.list()).toEqual([]);
});

test("requests that were rewound do not return after a restart", async () => {
  const folder = freshFolder();
  const first = await openOn(folder);
  const account = first.account(key);
  await account.clock.freeze();
  const start = async () => {
    const { headers } = await post(account, "/v1/phone/verify/start", { phone: "08031234567" });
    return headers.get("x-request-id") as string;
  };
  const [kept, rewound] = [await start(), await start()];
  const journal = accountFile(folder, key, "requests.ndjson");
  await until("the requests are on the disk", () => filesBelow(folder).get(journal)?.includes(rewound));
  await account.rewind(rewound);
  await first.stop();
  const again = (await openOn(folder)).account(key);
  expect((await again.requests.list()).map(({ id }) => id)).toEqual([kept]);
});

/** Starts a sandbox on a folder in this process, whose accounts can be evicted without five idle minutes. */
async function startEvicting(folder: string) {
  const server = await createSandboxServer({ data: folder, warn: (message) => expect.unreachable(message) });
  onTestFinished(() => server.close());
  const world = await new Promise<World>((resolve) => server.attach((sandbox) => resolve(sandbox.world)));
  const account = new SandboxAccount({ baseUrl: await server.listen(), key });
  return { account, evict: () => until("the account has left memory", () => world.evict(-1) === 1) };
}

test("requests and activities outlive the eviction of an idle account, bodies and queries included", async () => {
  const { account, evict } = await startEvicting(freshFolder());
  await account.clock.freeze();
  const { headers } = await post(account, "/v1/phone/verify/start", { phone: "08031234567" });
  await call(account, "GET", "/v1/balance?tag=a");
  const before = await account.requests.list();
  expect(before.map(({ body }) => body)).toEqual([null, '{"phone":"08031234567"}']);
  await evict();
  expect(await account.requests.list()).toEqual(before);
  await call(account, "GET", "/v1/pricing");
  await evict();
  expect((await account.requests.list()).slice(1)).toEqual(before);
  // The job that ends the verification was read from the disk; its cause is still known.
  await account.advance("1h");
  const cause = headers.get("x-request-id") as string;
  const { effects } = await account.activity.explain(cause);
  expect(effects.map(({ kind }) => kind)).toEqual(["move", "message", "job", "move"]);
});

test("after a restart, an activity names the cause that an earlier process has recorded, which is no longer explained", async () => {
  const folder = freshFolder();
  const first = await openOn(folder);
  await first.account(key).clock.freeze();
  const started = await post(first.account(key), "/v1/phone/verify/start", { phone: "08031234567" });
  await first.stop();
  const account = (await openOn(folder)).account(key);
  await account.advance("1h");
  const cause = started.headers.get("x-request-id") as string;
  const { activity, causes, effects } = await account.activity.explain(started.body.id);
  expect([activity.kind, causes.map(({ kind, cause: earlier }) => [kind, earlier])]).toEqual([
    "move",
    [["job", cause]],
  ]);
  expect(effects).toEqual([]);
  await expect(account.activity.explain(cause)).rejects.toThrow("was before the sandbox was started");
  expect(readFileSync(accountFile(folder, key, "requests.ndjson"), "utf8")).toContain(cause);
});

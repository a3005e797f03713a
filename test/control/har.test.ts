/** The requests of an account as an HTTP archive. */
import { expect, test } from "vitest";
import { call, post, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();

interface Har {
  log: {
    version: string;
    creator: { name: string };
    // biome-ignore lint/suspicious/noExplicitAny: the assertions check the entries
    entries: any[];
  };
}

test("has each request with its reply, the oldest first, in the form that HAR 1.2 asks for", async () => {
  const account = sandbox.account();
  await post(account, "/v1/phone/verify/start", { phone: "08031234567" });
  await call(account, "GET", "/v1/usage?from=2026-01-01&to=2026-01-31");
  await call(account, "GET", "/v1/audits/aud_of_nobody");
  const { log } = await account.control<Har>("GET", "/har");
  expect([log.version, log.creator.name, log.entries.length]).toEqual(["1.2", "Standin", 3]);
  const [start, usage, unknown] = log.entries;
  expect(start).toMatchObject({
    startedDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    time: expect.any(Number),
    request: {
      method: "POST",
      url: expect.stringMatching(/^http:\/\/.*\/v1\/phone\/verify\/start$/),
      httpVersion: "HTTP/1.1",
      cookies: [],
      queryString: [],
      postData: { mimeType: "application/json", text: '{"phone":"08031234567"}' },
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status: 201,
      statusText: "Created",
      content: { mimeType: "application/json", text: expect.stringMatching(/"phv_/) },
      redirectURL: "",
    },
    cache: {},
    timings: { send: 0, wait: expect.any(Number), receive: 0 },
    comment: "startPhoneVerification",
  });
  expect(usage.request.queryString).toEqual([
    { name: "from", value: "2026-01-01" },
    { name: "to", value: "2026-01-31" },
  ]);
  expect(unknown.response).toMatchObject({ status: 404, statusText: "Not Found" });
});

test("has no key, code, identity number or webhook secret", async () => {
  const account = sandbox.account();
  const { secret } = (await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/" })).body;
  const { id } = (await post(account, "/v1/phone/verify/start", { phone: "08031234567" })).body;
  const [code] = (await account.inbox.wait()).codes as [string];
  await post(account, "/v1/phone/verify/check", { id, code });
  await post(account, "/v1/verify/bvn", { bvn: "22301948576" });
  await call(account, "GET", `/v1/balance?code=${code}&api_key=${account.key}`);
  const text = JSON.stringify(await account.control<Har>("GET", "/har"));
  for (const hidden of [account.key, secret, code, "22301948576"]) expect(text).not.toContain(hidden);
});

test("a request whose connection was reset has status 0", async () => {
  const account = sandbox.account();
  await account.rules.add({ on: "getBalance", fault: { reply: "reset_before" } });
  await call(account, "GET", "/v1/balance").catch(() => {});
  const { log } = await account.control<Har>("GET", "/har");
  expect(log.entries[0].response).toMatchObject({ status: 0, statusText: "", content: { size: 0 } });
});

import { expect, test } from "vitest";
import { post, useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();
const url = "http://127.0.0.1:9/hooks";

test("registration returns the endpoint and the account's secret", async () => {
  const account = sandbox.account();
  const { status, body } = await post(account, "/v1/webhooks", {
    url,
    events: ["payout.paid"],
    description: "shop",
  });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^whe_/),
    url,
    events: ["payout.paid"],
    description: "shop",
    secret: expect.stringMatching(/^whsec_/),
    status: "enabled",
    is_test: true,
    created_at: expect.any(String),
  });
});

test("without events, every kind is sent", async () => {
  expect((await post(sandbox.account(), "/v1/webhooks", { url })).body.events).toEqual(["*"]);
});

test("registering the same URL again updates and returns that endpoint with 200", async () => {
  const account = sandbox.account();
  const first = await post(account, "/v1/webhooks", { url });
  const again = await post(account, "/v1/webhooks", { url, events: ["refund.failed"] });
  expect(again.status).toBe(200);
  expect(again.body).toEqual({ ...first.body, events: ["refund.failed"] });
  expect(await account.control("GET", "/webhooks")).toEqual({ items: [again.body] });
});

test("all endpoints of an account share a secret, which differs between accounts", async () => {
  const account = sandbox.account();
  const secrets = [];
  for (const path of ["a", "b"])
    secrets.push((await post(account, "/v1/webhooks", { url: `${url}/${path}` })).body.secret);
  const other = (await post(sandbox.account(), "/v1/webhooks", { url })).body.secret;
  expect(secrets[0]).toBe(secrets[1]);
  expect(other).not.toBe(secrets[0]);
});

test.each([
  "",
  "hooks",
  "ftp://127.0.0.1/x",
  "http://",
  "javascript:alert(1)",
  "http://user:pass@127.0.0.1/",
  "http://127.0.0.1:9/a b",
  "http://127.0.0.1:9/ọ̀nà",
  "http://127.0.0.1:9/100%",
  "http://127.0.0.1:9/%zz",
  "http://127.0.0.1:9/#a#b",
])("refuses the URL %j", async (bad) => {
  const { status, body } = await post(sandbox.account(), "/v1/webhooks", { url: bad });
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: "validation_error", param: "url" });
});

test("refuses an unknown event kind and lists the known ones", async () => {
  const { status, body } = await post(sandbox.account(), "/v1/webhooks", { url, events: ["payout.payed"] });
  expect(status).toBe(400);
  expect(body.error.param).toBe("events.0");
  expect(body.error.message).toContain("payout.paid");
});

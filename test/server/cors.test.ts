import { expect, test } from "vitest";
import { type RawReply, send } from "../support/raw.js";
import { useListeningSandbox } from "../support/sandbox.js";

const shop = "https://shop.example";
const closed = useListeningSandbox();
const allowing = useListeningSandbox({ allowOrigins: [shop] });
const openToAll = useListeningSandbox({ allowOrigins: ["*"] });

/** Sends the preflight request of a browser for a page from this origin. */
const preflight = (url: string, Origin: string): Promise<RawReply> =>
  send(url, {
    method: "OPTIONS",
    target: "/v1/phone/verify/start",
    headers: {
      Origin,
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "x-service-key",
    },
  });

const get = (url: string, target: string, Origin: string): Promise<RawReply> =>
  send(url, { method: "GET", target, headers: { Origin } });

test("a preflight request from an allowed origin succeeds", async () => {
  const { status, headers } = await preflight(allowing.url, shop);
  expect(status).toBe(204);
  expect(headers).toMatchObject({
    "access-control-allow-origin": shop,
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": "x-service-key",
    vary: "Origin",
  });
});

test.each(["/healthz", "/v1/balance", "/v1/nothing", "/_sandbox/account"])(
  "a page from an allowed origin can read the reply to %s, including a refusal",
  async (target) => {
    const { headers } = await get(allowing.url, target, shop);
    expect(headers).toMatchObject({
      "access-control-allow-origin": shop,
      "access-control-expose-headers": expect.stringContaining("X-Request-Id"),
    });
  },
);

test.each([
  ["another origin", "https://evil.example"],
  ["an origin with the same prefix", `${shop}.evil.example`],
  ["an origin that it does not tell", "null"],
])("a page from %s gets no preflight approval and cannot read replies", async (_what, origin) => {
  for (const { url } of [allowing, closed]) {
    const asked = await preflight(url, origin);
    expect(asked.status).toBe(403);
    expect(JSON.parse(asked.body).error).toMatchObject({
      code: "forbidden_origin",
      message: expect.stringContaining(`start with --allow-origin ${origin} `),
    });
    expect(asked.headers).not.toHaveProperty("access-control-allow-origin");
    const { headers } = await get(url, "/v1/balance", origin);
    expect(headers).not.toHaveProperty("access-control-allow-origin");
  }
});

test("a page from any origin can do so when all origins are allowed", async () => {
  const { status, headers } = await preflight(openToAll.url, "https://any.example");
  expect([status, headers["access-control-allow-origin"]]).toEqual([204, "https://any.example"]);
});

import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { send } from "../support/raw.js";
import { call, post, read, useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();

interface AccountView {
  id: string;
  mode: "test" | "live";
}

const viewOf = (key: string) => sandbox.account({ key }).control<AccountView>("GET", "/account");

/** Returns the error code of a call with this key, or null if the call succeeds. */
async function refusalOf(key: string): Promise<string | null> {
  const headers = { "X-Service-Key": key };
  const { status, body } = await send(sandbox.url, { method: "GET", target: "/v1/balance", headers });
  return status === 200 ? null : `${status} ${JSON.parse(body).error.code}`;
}

describe("a key", () => {
  test.each([
    ["8 characters", "a".repeat(8)],
    ["128 characters", "a".repeat(128)],
    ["every visible character", String.fromCharCode(...Array.from({ length: 94 }, (_, at) => 33 + at))],
  ])("of %s opens an account", async (_what, key) => {
    expect(await refusalOf(key)).toBeNull();
  });

  test.each([
    ["7 characters", "a".repeat(7)],
    ["129 characters", "a".repeat(129)],
    ["characters beyond ASCII", "svc_test_ключ"],
    ["a space inside", "svc test demo"],
    ["a tab inside", "svc_test\tdemo"],
    ["the ending _invalid", "svc_test_invalid"],
    ["the ending _revoked", "svc_live_revoked"],
  ])("of %s is rejected as invalid", async (_what, key) => {
    expect(await refusalOf(key)).toBe("401 invalid_api_key");
  });

  test.each(["svc_test_invalid", "short", "svc_test_revoked"])(
    "%s is refused by the control API too",
    async (key) => {
      await expect(viewOf(key)).rejects.toMatchObject({ status: 401, code: "invalid_api_key" });
    },
  );

  test.each(["invalid_svc_test", "svc_test_invalid_1", "svc_test_uninvalid"])(
    "%s is a key like any other",
    async (key) => {
      expect(await refusalOf(key)).toBeNull();
    },
  );

  test.each([
    ["undefined", "the text undefined: the variable that should hold it is not set"],
    ["null", "the text null"],
    ["None", "the text None"],
    ["[object Object]", "the text [object Object]"],
    ["<API_KEY>", "a placeholder"],
    ["YOUR_API_KEY", "a placeholder"],
    ["$" + "{SERVICE_KEY}", "a placeholder"],
    ["{{service_key}}", "a placeholder"],
    ['"svc_test_quoted"', "in quotation marks"],
    ["Bearer svc_test_bearer", "without a scheme such as Bearer"],
  ])("that a faulty configuration sends is refused with the reason: %s", async (key, reason) => {
    const headers = { "X-Service-Key": key };
    const { status, body } = await send(sandbox.url, { method: "GET", target: "/v1/balance", headers });
    expect(status).toBe(401);
    expect(JSON.parse(body).error).toMatchObject({
      code: "invalid_api_key",
      message: expect.stringContaining(reason),
    });
  });

  test("that is missing or empty is refused with an example of a valid key", async () => {
    expect(await refusalOf("")).toBe("401 missing_api_key");
    const reply = await read(await fetch(`${sandbox.url}/v1/balance`));
    expect(reply.body.error).toMatchObject({ type: "authentication_error", param: "X-Service-Key" });
    expect(reply.body.error.message).toContain("svc_test_demo");
  });
});

describe("the mode", () => {
  test.each<[string, AccountView["mode"]]>([
    ["svc_live_demo", "live"],
    ["my-live-key", "live"],
    ["live_0123456", "live"],
    ["0123456-live", "live"],
    ["svc_test_live", "live"],
    ["svc_test_demo", "test"],
    ["alive_key_x", "test"],
    ["svc_livedemo", "test"],
    ["svc.live.demo", "test"],
    ["svc_LIVE_demo", "test"],
    ["olive-branch", "test"],
  ])("of the key %s is %s", async (key, mode) => {
    expect(await viewOf(key)).toMatchObject({ mode });
    const { body } = await post(sandbox.account({ key }), "/v1/phone/verify/start", { phone: "08031234567" });
    expect(body.is_test).toBe(mode === "test");
  });
});

describe("an account", () => {
  /** `acct_` and the first 16 base32 characters (RFC 4648, lower case) of SHA-256(key), computed from the specification alone. */
  function expectedId(key: string): string {
    const bits = [...createHash("sha256").update(key).digest().subarray(0, 10)]
      .map((byte) => byte.toString(2).padStart(8, "0"))
      .join("");
    const characters = bits
      .match(/.{5}/g)
      ?.map((five) => "abcdefghijklmnopqrstuvwxyz234567"[Number.parseInt(five, 2)]);
    return `acct_${characters?.join("")}`;
  }

  test("has an id that is derived from its key without revealing it", async () => {
    const account = sandbox.account();
    const { id } = await viewOf(account.key);
    expect(id).toBe(expectedId(account.key));
    const reply = await call(account, "GET", "/_sandbox/clock");
    expect(reply.headers.get("X-Sandbox-Account")).toBe(id);
  });

  test("is the same for the same key and different for any other key", async () => {
    const ids = await Promise.all(["svc_test_one", "svc_test_two", "svc_test_one"].map(viewOf));
    expect(ids[0]).toEqual(ids[2]);
    expect(ids[0]?.id).not.toBe(ids[1]?.id);
  });
});

describe("with registered keys only", () => {
  const strict = useListeningSandbox({ registeredKeysOnly: true, keys: ["svc_test_config"] });
  const balance = async (key: string) => (await call(strict.account({ key }), "GET", "/v1/balance")).status;

  test("a key from the config is accepted, and any other is refused", async () => {
    expect(await balance("svc_test_config")).toBe(200);
    const reply = await call(strict.account({ key: "svc_test_stranger" }), "GET", "/v1/balance");
    expect(reply).toMatchObject({ status: 401, body: { error: { code: "invalid_api_key" } } });
    expect(reply.body.error.message).toContain("POST /_sandbox/keys");
  });

  test("a key is accepted once the control API has registered it", async () => {
    const account = strict.account();
    expect(await balance(account.key)).toBe(401);
    const registered = await account.control("POST", "/keys", { key: account.key });
    expect(registered).toMatchObject({ key: account.key, mode: "test" });
    expect(await balance(account.key)).toBe(200);
  });

  test.each(["test", "live"] as const)("the control API creates a %s key that is accepted", async (mode) => {
    const made = await strict.account().control<{ key: string; mode: string }>("POST", "/keys", { mode });
    expect(made).toMatchObject({ mode, key: expect.stringMatching(new RegExp(`^svc_${mode}_`)) });
    expect(await balance(made.key)).toBe(200);
  });

  test.each(["short", "svc test key", "svc_test_invalid", "svc_test_revoked", "k".repeat(129)])(
    "the key %s cannot be registered",
    async (key) => {
      const registering = strict.account().control("POST", "/keys", { key });
      await expect(registering).rejects.toMatchObject({ status: 400, code: "validation_error" });
    },
  );
});

test("every 401 has a challenge that names where the credential belongs", async () => {
  const challengeOf = async (method: string, path: string) => {
    const { status, headers } = await fetch(new URL(path, sandbox.url), { method });
    return `${status} ${headers.get("WWW-Authenticate")}`;
  };
  expect(await challengeOf("GET", "/v1/balance")).toBe('401 ApiKey realm="standin", header="X-Service-Key"');
  expect(await challengeOf("POST", "/v1/domains/verify/dom_1/check")).toBe(
    '401 Bearer realm="standin", error="invalid_token"',
  );
});

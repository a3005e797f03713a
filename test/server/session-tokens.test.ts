import { createHash, createHmac, generateKeyPairSync } from "node:crypto";
import { type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, onTestFinished, test } from "vitest";
import { type SandboxAccount, startSandbox } from "../../src/index.js";
import { post, type Reply, read, useListeningSandbox } from "../support/sandbox.js";

const seed = "session tokens";
const sandbox = useListeningSandbox({ seed });
const path = "/v1/domains/verify/start";
/** Statuses of a first and a repeated start of a domain; both mean that the token was accepted. */
const passed: readonly number[] = [201, 200];

const tokenOf = async (account: SandboxAccount): Promise<string> =>
  (await account.control<{ token: string }>("POST", "/session-token")).token;

/** Starts a domain verification with only this Authorization header. */
async function startDomain(
  authorization: string | undefined,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return read(
    await fetch(sandbox.url + path, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(authorization === undefined ? {} : { Authorization: authorization }),
        ...headers,
      },
      body: JSON.stringify({ domain: "example.com" }),
    }),
  );
}

const claimsOf = (token: string): JWTPayload =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

/** Returns a token with these claims, signed as the sandbox does unless overridden. */
const sign = (claims: JWTPayload, { alg = "HS256", of = seed } = {}): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg })
    .sign(createHash("sha256").update(`session token\0${of}`).digest());

const invalid = { status: 401, body: { error: { code: "invalid_session_token", param: "Authorization" } } };

test("a token cannot be forged from the default seed", async () => {
  const plain = await startSandbox();
  onTestFinished(() => plain.close());
  const token = await tokenOf(plain.account());
  const forged = await sign(claimsOf(token), { of: "standin" });
  const start = async (bearer: string) => {
    const headers = { Authorization: `Bearer ${bearer}`, "Content-Type": "application/json" };
    return read(await fetch(plain.url + path, { method: "POST", headers, body: '{"domain":"example.com"}' }));
  };
  expect(await start(forged)).toMatchObject(invalid);
  expect(passed).toContain((await start(token)).status);
});

test("a token from the control API is valid for its account, for an hour on the account's clock", async () => {
  const account = sandbox.account();
  await account.clock.freeze();
  const { now } = await account.clock.get();
  const token = await tokenOf(account);
  expect(claimsOf(token)).toMatchObject({
    iss: "standin",
    aud: "dashboard",
    sub: expect.stringMatching(/^acct_/),
  });
  const { exp = 0, iat = 0 } = claimsOf(token);
  expect(exp - iat).toBe(3_600);
  expect(iat).toBe(Math.floor(Date.parse(now) / 1_000));
  expect(passed).toContain((await startDomain(`Bearer ${token}`)).status);
  await account.advance("59m");
  expect(passed).toContain((await startDomain(`Bearer ${token}`)).status);
  await account.advance("1h1m");
  const expired = { error: { code: "expired_session_token", type: "authentication_error" } };
  expect(await startDomain(`Bearer ${token}`)).toMatchObject({ status: 401, body: expired });
  expect(passed).toContain((await startDomain(`Bearer ${await tokenOf(account)}`)).status);
});

test("the API key is not required, and is ignored even if it is wrong or belongs to another account", async () => {
  const [account, other] = [sandbox.account(), sandbox.account()];
  const token = await tokenOf(account);
  for (const key of ["", "bad", "svc_test_revoked", other.key])
    expect(passed).toContain((await startDomain(`Bearer ${token}`, { "X-Service-Key": key })).status);
  expect(await account.requests.list({ operation: "startDomainVerification" })).toHaveLength(4);
  expect(await other.requests.list()).toEqual([]);
});

test("an API key alone does not authorize the domain endpoints", async () => {
  expect(await post(sandbox.account(), path, { domain: "example.com" })).toMatchObject(invalid);
});

describe("a header is refused if it has", () => {
  test.each([
    ["nothing", undefined],
    ["no token", "Bearer"],
    ["garbage", "Bearer garbage"],
    ["three dots of garbage", "Bearer a.b.c"],
    ["JSON instead of a token", 'Bearer {"sub":"acct_aaaaaaaaaaaaaaaa"}'],
    ["a very long token", `Bearer ${"a".repeat(10_000)}`],
  ])("%s", async (_what, authorization) => {
    expect(await startDomain(authorization)).toMatchObject(invalid);
  });

  test("another scheme or none", async () => {
    const token = await tokenOf(sandbox.account());
    for (const authorization of [token, `Basic ${token}`, `Token ${token}`, `Bearer ${token} ${token}`])
      expect(await startDomain(authorization)).toMatchObject(invalid);
  });
});

describe("a token is refused if it", () => {
  const bearer = async (token: string | Promise<string>) => startDomain(`Bearer ${await token}`);

  test("was signed by someone else, or by a sandbox with another seed", async () => {
    const claims = claimsOf(await tokenOf(sandbox.account()));
    expect(passed).toContain((await bearer(sign(claims))).status);
    expect(await bearer(sign(claims, { of: "another seed" }))).toMatchObject(invalid);
  });

  test("was changed after it was signed", async () => {
    const [header, payload, signature = ""] = (await tokenOf(sandbox.account())).split(".");
    const { sub } = claimsOf(await tokenOf(sandbox.account()));
    const claims = { ...claimsOf(`.${payload}.`), sub };
    const forged = Buffer.from(JSON.stringify(claims)).toString("base64url");
    expect(await bearer(`${header}.${forged}.${signature}`)).toMatchObject(invalid);
    const first = signature.startsWith("A") ? "B" : "A";
    expect(await bearer(`${header}.${payload}.${first}${signature.slice(1)}`)).toMatchObject(invalid);
    expect(await bearer(`${header}.${payload}.`)).toMatchObject(invalid);
  });

  test("declares no signature or another algorithm", async () => {
    const claims = claimsOf(await tokenOf(sandbox.account()));
    expect(await bearer(new UnsecuredJWT(claims).encode())).toMatchObject(invalid);
    for (const alg of ["HS384", "HS512"])
      expect(await bearer(sign(claims, { alg })), alg).toMatchObject(invalid);
  });

  test("was signed with a private key, or names its own key, whatever its header declares", async () => {
    const claims = claimsOf(await tokenOf(sandbox.account()));
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const jwk = publicKey.export({ format: "jwk" });
    const byKey = await new SignJWT(claims).setProtectedHeader({ alg: "RS256", jwk }).sign(privateKey);
    expect(await bearer(byKey)).toMatchObject(invalid);
    // Uses the public key as an HMAC secret, which a verifier that trusts the header's algorithm would accept.
    const pem = publicKey.export({ type: "spki", format: "pem" });
    for (const alg of ["HS256", "RS256"]) {
      const unsigned = [{ alg, jwk }, claims].map((part) =>
        Buffer.from(JSON.stringify(part)).toString("base64url"),
      );
      const signature = createHmac("sha256", pem).update(unsigned.join(".")).digest("base64url");
      expect(await bearer([...unsigned, signature].join(".")), alg).toMatchObject(invalid);
    }
  });

  test("names another account in a token that was signed for this one", async () => {
    const [header, , signature] = (await tokenOf(sandbox.account())).split(".");
    const [, payload] = (await tokenOf(sandbox.account())).split(".");
    expect(await bearer([header, payload, signature].join("."))).toMatchObject(invalid);
  });

  test.each<[string, JWTPayload]>([
    ["another audience", { aud: "somewhere-else" }],
    ["another issuer", { iss: "somebody" }],
    ["no account", { sub: "" }],
    ["an invalid account", { sub: "../../etc/passwd" }],
    ["a start in the future", { nbf: 4_102_444_800 }],
    ["an expiry that is not a number", { exp: "never" as never }],
  ])("is valid except that it has %s", async (_what, wrong) => {
    const claims = claimsOf(await tokenOf(sandbox.account()));
    expect(await bearer(sign({ ...claims, ...wrong }))).toMatchObject(invalid);
  });
});

test("both domain endpoints require a token, which gives access to its own account's verifications only", async () => {
  const [account, other] = [sandbox.account(), sandbox.account()];
  const token = await tokenOf(account);
  const { body } = await startDomain(`Bearer ${token}`);
  const check = async (headers: Record<string, string>): Promise<Reply> =>
    read(await fetch(`${sandbox.url}/v1/domains/verify/${body.id}/check`, { method: "POST", headers }));
  expect(await check({ "X-Service-Key": account.key })).toMatchObject(invalid);
  expect(await check({ Authorization: `Bearer ${token}x` })).toMatchObject(invalid);
  const otherToken = await tokenOf(other);
  const withKey = { Authorization: `Bearer ${otherToken}`, "X-Service-Key": account.key };
  expect((await check(withKey)).body.error.code).toBe("resource_not_found");
  expect(await check({ Authorization: `Bearer ${token}`, "X-Service-Key": other.key })).toMatchObject({
    status: 200,
    body: { verified: false },
  });
  await account.advance("1h");
  expect((await check({ Authorization: `Bearer ${token}` })).body.error.code).toBe("expired_session_token");
});

test.each([
  ["live", "test"],
  ["test", "live"],
] as const)("a %s account keeps its mode, whichever token uses it first", async (mode, other) => {
  const { key } = sandbox.account({ mode });
  const token = await tokenOf(sandbox.account({ key }));
  const forged = await sign({ ...claimsOf(token), mode: other }, { of: "another seed" });
  for (const authorization of [`Bearer ${token}`, `Bearer ${forged}`]) {
    const restarted = await startSandbox({ seed });
    onTestFinished(() => restarted.close());
    await fetch(restarted.url + path, { method: "POST", headers: { Authorization: authorization } });
    expect(await restarted.account({ key }).control("GET", "/account")).toMatchObject({ mode });
  }
});

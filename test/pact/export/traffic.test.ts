import { beforeAll, describe, expect, test } from "vitest";
import type { ExportedPact, SandboxAccount } from "../../../src/index.js";
import { describeStates } from "../../../src/pact/provider-states/provider-states.js";
import { post, useSandbox } from "../../support/sandbox.js";
import { drive, secrets } from "./client.js";
import { failures, verify } from "./verified.js";

const sandbox = useSandbox();

interface Interaction {
  description: string;
  providerStates: { name: string; params: object }[];
  request: {
    method: string;
    path: string;
    headers: Record<string, string[]>;
    body?: { content: Record<string, unknown> };
    matchingRules?: Record<string, Record<string, unknown>>;
    generators?: Record<string, unknown>;
  };
  response: {
    status: number;
    body?: { content: Record<string, unknown> };
    matchingRules: { body: Record<string, { combine: string; matchers: object[] }> };
  };
}

/** Returns the expression of a state value. */
const inState = (name: string): string => `\${${name}}`;

const interactionsOf = ({ pact }: ExportedPact): Interaction[] =>
  pact.interactions as unknown as Interaction[];

/** Exports the requests of a fresh account. */
async function exportOf(work: (account: SandboxAccount) => Promise<unknown>): Promise<Interaction[]> {
  const account = sandbox.account();
  await work(account);
  return interactionsOf(await account.pact());
}

describe("a client's requests to every group of the service", () => {
  let account: SandboxAccount;
  let exported: ExportedPact;
  beforeAll(async () => {
    account = sandbox.account();
    await drive(account);
    exported = await account.pact({ consumer: "shop", provider: "the service" });
  });

  test("give a pact that the service meets", async () => {
    const report = await verify(exported.pact);
    expect(failures(report)).toEqual({});
    expect(report).toMatchObject({ passed: true, warnings: [] });
    expect(report.interactions.length).toBeGreaterThanOrEqual(70);
  });

  test("give a pact with every group", () => {
    const paths = interactionsOf(exported).map(({ request }) => request.path.split("/").slice(2, 3)[0]);
    const groups =
      "audits balance business domains media-scan phone pricing streaming tools usage verify wa webhooks";
    expect([...new Set(paths)].sort()).toEqual(groups.split(" "));
  });

  test("give a pact that names the client, the service and the version of the specification", () => {
    expect(exported.pact).toMatchObject({
      consumer: { name: "shop" },
      provider: { name: "the service" },
      metadata: { pactSpecification: { version: "4.0" } },
    });
  });

  test("give a pact with known provider states and parameters only", () => {
    const catalogue = new Map<string, ReturnType<typeof describeStates>[number]>(
      describeStates().map((state) => [state.name, state]),
    );
    const states = interactionsOf(exported).flatMap(({ providerStates }) => providerStates);
    expect(new Set(states.map(({ name }) => name)).size).toBeGreaterThan(20);
    for (const { name, params } of states) {
      expect([...catalogue.keys()]).toContain(name);
      for (const param of Object.keys(params))
        expect(Object.keys(catalogue.get(name)?.params.properties ?? {})).toContain(param);
    }
  });

  test("give a pact without personal data and keys", () => {
    const text = JSON.stringify(exported).toLowerCase();
    const { phone, ...others } = secrets;
    for (const secret of [...Object.values(others), phone.slice(1), "olumide.test", "macaulay"]) {
      expect(text).not.toContain(secret.toLowerCase());
    }
    expect(text).not.toContain(account.key);
    expect(text).not.toContain("eyj");
  });

  test("are reported where they cannot be in the pact", () => {
    expect(exported.left_out).toEqual([
      "a verifyBvn that answers 400: its body is not in the journal or not a JSON object",
      "a verifyLiveness that answers 400: the journal does not keep files and form fields",
    ]);
  });

  test("give interactions with unique descriptions and states", () => {
    const names = interactionsOf(exported).map(({ description, providerStates }) =>
      JSON.stringify([description, providerStates]),
    );
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("an exported interaction", () => {
  test("stands for all requests of its shape", async () => {
    const interactions = await exportOf(async (account) => {
      await post(account, "/v1/phone/verify/start", { phone: "08095551234" });
      await post(account, "/v1/phone/verify/start", { phone: "08095551235" });
      await post(account, "/v1/phone/verify/start", { phone: "08095551235", reference: "a" });
      await post(account, "/v1/phone/verify/start", { phone: "08095551236", reference: "b" });
    });
    expect(interactions.map(({ description }) => description)).toEqual([
      "a startPhoneVerification that answers 201, with phone",
      "a startPhoneVerification that answers 201, with phone, reference",
    ]);
  });

  test("has matchers from the contract", async () => {
    const [started] = await exportOf((account) =>
      post(account, "/v1/phone/verify/start", { phone: "08095551234" }),
    );
    const rule = (...matchers: object[]) => ({ combine: "AND", matchers });
    expect(started?.response.matchingRules.body).toEqual({
      "$.id": rule({ match: "regex", regex: "^phv_\\S+$" }),
      "$.phone": rule({ match: "regex", regex: "^\\+[1-9][0-9]{1,14}$" }),
      "$.status": rule({ match: "regex", regex: "^(?:pending|verified|expired|max_attempts_reached)$" }),
      "$.expires_at": rule({ match: "datetime", format: "yyyy-MM-dd'T'HH:mm:ss.SSSX" }),
      "$.reference": { combine: "OR", matchers: [{ match: "type" }, { match: "null" }] },
      "$.cost": rule({ match: "number" }),
      "$.is_test": rule({ match: "boolean" }),
    });
  });

  test("takes ids and codes from its state", async () => {
    const interactions = await exportOf(async (account) => {
      const { id } = (await post(account, "/v1/phone/verify/start", { phone: "08095551234" })).body;
      const [code] = (await account.inbox.wait()).codes;
      await post(account, "/v1/phone/verify/check", { id, code });
    });
    expect(interactions[1]).toMatchObject({
      providerStates: [{ name: "a pending phone verification", params: {} }],
      request: {
        body: { content: { code: "000000" } },
        generators: {
          body: {
            "$.id": { type: "ProviderState", expression: inState("id") },
            "$.code": { type: "ProviderState", expression: inState("code") },
          },
        },
      },
      response: { body: { content: { verified: true, status: "verified" } } },
    });
  });

  test("compares code and field of a refusal exactly, not its message", async () => {
    const [refused] = await exportOf((account) => post(account, "/v1/verify/bvn", { bvn: "225" }));
    expect(refused).toMatchObject({
      request: { body: { content: { bvn: "225" } } },
      response: { status: 400, body: { content: { error: { code: "invalid_bvn", param: "bvn" } } } },
    });
    const rules = Object.keys(refused?.response.matchingRules.body ?? {});
    expect(rules).toContain("$.error.message");
    expect(rules).not.toContain("$.error.code");
    expect(refused?.request.matchingRules).toBeUndefined();
  });

  test("of a live key has a live placeholder", async () => {
    const account = sandbox.account({ mode: "live" });
    await account.fetch("/v1/balance");
    const [balance] = interactionsOf(await account.pact());
    expect(balance?.request.headers).toEqual({ "X-Service-Key": ["svc_live_placeholder"] });
  });

  test("that no state leads to is left out, with the reason", async () => {
    const account = sandbox.account();
    await account.rules.add({ on: "getBalance", fault: { error: "storage_unavailable" } });
    await account.fetch("/v1/balance");
    await account.rules.add({ on: "getPricing", fault: { reply: "reset_before" } });
    await account.fetch("/v1/pricing").catch(() => null);
    const { pact, left_out } = await account.pact();
    expect(pact.interactions).toEqual([]);
    expect(left_out).toEqual([
      "a getPricing that answers nothing: its connection was disturbed (reply=reset_before)",
      "a getBalance that answers 503 storage_unavailable: no provider state leads to it",
    ]);
  });

  test("that the journal no longer has is reported", async () => {
    const account = sandbox.account();
    await post(account, "/v1/verify/bvn", { bvn: "225" });
    for (let batch = 0; batch < 20; batch++)
      await Promise.all(Array.from({ length: 50 }, () => account.fetch("/v1/balance")));
    const { pact, left_out } = await account.pact();
    expect([pact.interactions.map(({ description }) => description), left_out]).toEqual([
      ["a getBalance that answers 200"],
      ["everything before the last 1000 requests: the journal keeps no more"],
    ]);
  });
});

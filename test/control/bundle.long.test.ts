/** Bundles of accounts that built-in scenarios have led somewhere, opened in another sandbox. */
import { expect, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { bundledScenarioNames } from "../../src/scenarios/bundled-scenarios.js";
import { shareOf } from "../support/repetitions.js";
import { post, useListeningSandbox, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();
/** For the scenario that calls a hosted page. */
const listening = useListeningSandbox();
const other = useSandbox();

interface Bundle {
  standin: object;
  mode: "test" | "live";
  now: string;
  snapshot: { state: object };
  history: object;
}

async function open(bundle: Bundle): Promise<SandboxAccount> {
  const account = other.account({ mode: bundle.mode });
  await account.control("PUT", "/snapshot", bundle.snapshot);
  await account.control("PUT", "/bundle/history", bundle.history);
  return account;
}

type View = Record<string, unknown>;

/** Returns what the dashboard shows of an account with these tables, with names for ids of accounts and local addresses. */
async function shown(account: SandboxAccount, tables: readonly string[]): Promise<unknown> {
  const text = JSON.stringify(await read(account, tables));
  return JSON.parse(
    text
      .replace(/acct_[a-z2-7]{16}/g, "acct")
      .replace(/http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/g, "http://sandbox"),
  );
}

async function read(account: SandboxAccount, tables: readonly string[]) {
  const { items: machines } = await account.control<{ items: { name: string }[] }>("GET", "/machines");
  const lists = [
    "/ledger",
    "/deliveries",
    "/events",
    "/rules",
    "/inbox",
    "/requests",
    "/activity?limit=1000",
  ];
  return {
    clock: { ...(await account.clock.get()), mode: "paused" },
    records: await Promise.all(
      machines
        .filter(({ name }) => tables.includes(name))
        .map(({ name }) => account.control("GET", `/machines/${name}/records`)),
    ),
    lists: await Promise.all(lists.map((path) => account.control("GET", path))),
  };
}

/** Returns the value with everything left out that a bundle redacts, or that depends on the webhook secret. */
function masked(value: unknown, like: unknown): unknown {
  // The answer to an identity question is never stored.
  if (typeof like === "string" && /\[redacted\]|^\[answer to /.test(like)) return like;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item, at) => masked(item, (like as unknown[])?.[at]));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const its = (like as View | undefined)?.[key];
      return [key, key === "X-Service-Signature" ? its : masked(inner, its)];
    }),
  );
}

/** Returns the secrets that an account has seen. */
async function secretsOf(account: SandboxAccount, scenario: object): Promise<string[]> {
  const codes = (await account.inbox.list()).flatMap((message) => message.codes);
  const text = JSON.stringify(scenario);
  const numbers = [...text.matchAll(/"(?:bvn|nin)":"(\d{11})"/g)].map(([, number]) => number as string);
  const { webhook_secret } = await account.control<{ webhook_secret: string }>("GET", "/account");
  return [account.key, webhook_secret, ...codes.filter((code) => code.length > 4), ...numbers];
}

/** Long runs have all scenarios. Each run has one on a live account and one with uploads. */
const scenarios = new Set([...shareOf(await bundledScenarioNames(), 2, 1), "live-key", "document-and-face"]);

test.each([...scenarios])("a bundle after %s shows the same elsewhere, and has no secret", async (name) => {
  const scenario = await sandbox
    .account()
    .control<{ account?: "test" | "live" }>("GET", `/scenarios/${name}`);
  const { account: accountOf } = name === "demo-day" ? listening : sandbox;
  const account = accountOf({ mode: scenario.account ?? "test" });
  expect((await account.scenario.run(scenario)).passed).toBe(true);
  await account.clock.freeze();
  const bundle = await account.control<Bundle>("GET", "/export/bundle");
  const text = JSON.stringify(bundle);
  // Keys, webhook secrets, and BVNs and NINs: phone numbers begin with a zero or a plus, or are longer.
  expect(text.match(/svc_(?:test|live)_\w+|whsec_\w+|(?<![\w+.-])[1-9]\d{10}(?![\w-])/g)).toBe(null);
  for (const secret of await secretsOf(account, scenario))
    expect(text).not.toMatch(new RegExp(`(?<!\\w)${secret}(?!\\w)`));
  const opened = await open(bundle);
  expect((await opened.clock.get()).mode).toBe("paused");
  const tables = Object.keys(bundle.snapshot.state);
  const elsewhere = await shown(opened, tables);
  expect(elsewhere).toEqual(masked(await shown(account, tables), elsewhere));
});

test("an activity of an opened bundle is explained by its causes and effects", async () => {
  const account = sandbox.account();
  await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  const opened = await open(await account.control<Bundle>("GET", "/export/bundle"));
  const [message] = await opened.inbox.list();
  const { causes } = await opened.control<{ causes: { title: string }[] }>("GET", `/activity/${message?.id}`);
  expect(causes.map(({ title }) => title)).toEqual(["POST /v1/phone/verify/start"]);
  expect(message?.codes).toEqual(["[redacted]"]);
});

test("a damaged history is refused with the place and the reason", async () => {
  const account = other.account();
  const history = { state: { activity: { req_1: { id: 1 } }, requests: {} } };
  await expect(account.control("PUT", "/bundle/history", history)).rejects.toThrow(/state\.activity\.req_1/);
});

test("a bundle of version 0.2 opens: it has no changes of states, and titles that have them as text", async () => {
  const account = sandbox.account();
  await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  const bundle = await account.control<Bundle>("GET", "/export/bundle");
  const text = JSON.stringify(bundle)
    .replaceAll(/"move":(?:null|\{[^{}]*\}),/g, "")
    .replaceAll("A code was sent to +2348031234567.", "phone_verification new → pending by send");
  expect(text).toContain("new → pending by send");
  expect(text).not.toContain('"move":{');
  const opened = await open(JSON.parse(text) as Bundle);
  const { items } = await opened.control<{ items: { title: string; move: unknown }[] }>("GET", "/activity");
  expect(items.map(({ title, move }) => [title, move])).toContainEqual([
    "phone_verification new → pending by send",
    null,
  ]);
});

/** The links of the contract, each followed on a sandbox: what an operation gives out is what another one takes. */
import { expect, test } from "vitest";
import { serviceDocument } from "../../src/documents/contracts.js";
import type { SandboxAccount } from "../../src/index.js";
import { type Reply, useListeningSandbox } from "../support/sandbox.js";
import { ask, named, operations } from "./alternatives/asking.js";

const sandbox = useListeningSandbox();

interface LinkNode {
  operationId: string;
  parameters?: Record<string, string>;
  requestBody?: Record<string, string>;
}
interface Paths {
  paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, { links?: object }> }>
  >;
}

const { paths } = serviceDocument("http://127.0.0.1") as Paths;
const links = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ operationId: from, responses }) =>
    Object.values(responses).flatMap(({ links: nodes = {} }) =>
      Object.values(nodes as Record<string, LinkNode>).map((link) => [from, link.operationId, link] as const),
    ),
  );

/** What the operations that give out ids need first. */
const given = {
  business: {},
  payout_account: {},
  channels: [{ connected: true }],
  audits: [{}],
  payments: [{ amount: 50_000, settled: true }],
};

test("every operation that takes an id of another one is linked to it", () => {
  const takers = operations.filter(({ params, body }) =>
    [params, body].some((fields) =>
      Object.keys(fields?.properties ?? {}).some((name) => /(?:^|_)id$/.test(name)),
    ),
  );
  expect(takers.length).toBeGreaterThan(10);
  const linked = new Set<string>(links.map(([, to]) => to));
  expect(takers.map(({ id }) => id).filter((id) => !linked.has(id))).toEqual([]);
});

/** Resolves what a link passes on. */
function valuesOf(
  expressions: Record<string, string> = {},
  reply: Reply,
  params: Record<string, string>,
): Record<string, string> {
  const resolve = (expression: string): string => {
    const [, pointer, param = ""] = /^\$response\.body#(.+)$|^\$request\.path\.(\w+)$/.exec(expression) ?? [];
    if (pointer === undefined) return params[param] as string;
    return pointer
      .slice(1)
      .split("/")
      .reduce((inner, key) => inner[key], reply.body);
  };
  return Object.fromEntries(Object.entries(expressions).map(([name, text]) => [name, resolve(text)]));
}

/** Returns ids for the parameters of an operation that itself takes one. */
async function paramsOf(account: SandboxAccount, id: string): Promise<Record<string, string>> {
  if (!named(id).params?.properties.channel_id) return {};
  const { body } = await ask(account, named("listChannels"));
  return { channel_id: body[0].id };
}

test.each(links)("%s gives %s what it takes", async (from, to, link) => {
  const account = sandbox.account();
  await account.scenario.load({ name: "links", given });
  const params = await paramsOf(account, from);
  // A payment goes to the account's own virtual account.
  const { items } = await account.control<{ items: { id: string }[] }>(
    "GET",
    "/machines/virtual_account/records",
  );
  const fields =
    "virtual_account_id" in (named(from).body?.properties ?? {}) ? { virtual_account_id: items[0]?.id } : {};
  const first = await ask(account, named(from), { params, fields });
  expect(first.status).toBeLessThan(300);
  const taken = {
    params: valuesOf(link.parameters, first, params),
    fields: valuesOf(link.requestBody, first, params),
  };
  const missing = Object.keys(named(to).params?.properties ?? {}).filter((name) => !(name in taken.params));
  const followed = await ask(account, named(to), taken);
  // Only an id that the link does not carry may be unknown.
  if (missing.length === 0) expect(followed.body.error?.code).not.toBe("resource_not_found");
  const unknown = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, id]) => [name, id.replace(/_.*/, "_0000")]));
  const astray = await ask(account, named(to), {
    params: unknown(taken.params),
    fields: unknown(taken.fields),
  });
  expect(astray.status).toBe(404);
});

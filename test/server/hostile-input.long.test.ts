import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { AnyOperation } from "../../src/contract/operation.js";
import {
  anyText,
  brokenBodies,
  contentTypes,
  everyOperation,
  expectHeldUp,
  hostileTexts,
  hostileValues,
} from "../support/hostile.js";
import { type RawRequest, send } from "../support/raw.js";
import { propertyRuns, shareOf } from "../support/repetitions.js";
import { requestOf, rightFields, targetOf, toBody } from "../support/requests.js";
import { useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();

afterEach(() => {
  expect(sandbox.warnings).toEqual([]);
  expect({}).not.toHaveProperty("polluted");
});

/** Returns the credentials that the operation requires, as headers. */
async function credentials(operation: AnyOperation): Promise<Record<string, string>> {
  const account = sandbox.account();
  if (operation.auth !== "session") return { "X-Service-Key": account.key };
  const { token } = await account.control<{ token: string }>("POST", "/session-token");
  return { Authorization: `Bearer ${token}` };
}

/** Generates any mixture of valid and hostile fields. */
const mixedBody = (operation: AnyOperation): fc.Arbitrary<string> =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(rightFields(operation)).map(([name, right]) => [
          name,
          fc.oneof(
            fc.constant(right),
            fc.constantFrom(...hostileValues),
            fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
            anyText.map((text) => JSON.stringify(text)),
          ),
        ]),
      ),
      { requiredKeys: [] },
    )
    .map(toBody);

describe.each(everyOperation.map((operation, turn) => [operation.id, operation, turn] as const))(
  "%s",
  (_id, operation, turn) => {
    let headers: Record<string, string> = {};
    beforeAll(async () => {
      headers = await credentials(operation);
    });
    afterAll(async () => {
      const { status, body } = await send(sandbox.url, { method: "GET", target: "/healthz" });
      expect([status, JSON.parse(body)]).toEqual([200, { status: "ok" }]);
    });
    const holdsUp = async (changes: Partial<RawRequest>): Promise<void> => {
      const request = requestOf(operation, { ...changes, headers: { ...headers, ...changes.headers } });
      expectHeldUp(await send(sandbox.url, request), operation);
    };

    test("tolerates any value in each field", async () => {
      // Forms are tested in hostile-forms.long.test.ts.
      const fields = operation.upload ? {} : rightFields(operation);
      for (const [at, name] of Object.keys(fields).entries())
        for (const value of shareOf(hostileValues, 8, turn + at))
          await holdsUp({ body: toBody({ ...fields, [name]: value }) });
    });

    test("tolerates any body and content type", async () => {
      for (const body of shareOf(brokenBodies, 8, turn)) await holdsUp({ body });
      for (const type of shareOf(contentTypes, 5, turn)) await holdsUp({ headers: { "Content-Type": type } });
    });

    test("tolerates any path and query, including undecodable and repeated parameters", async () => {
      const known = Object.keys(operation.query?.properties ?? {}).filter((name) => name !== "timeout");
      for (const text of shareOf(hostileTexts, 8, turn)) {
        await holdsUp({ target: targetOf(operation, text) });
        for (const name of [...known, "__proto__", text]) {
          const once = `${name}=${text}`;
          if (known.includes(name)) await holdsUp({ target: targetOf(operation, "phv_0", once) });
          await holdsUp({ target: targetOf(operation, "phv_0", `${once}&${name}=1`) });
        }
      }
    });

    test("tolerates any mixture of these", async () => {
      await fc.assert(
        fc.asyncProperty(mixedBody(operation), fc.constantFrom(...hostileTexts), async (body, text) => {
          await holdsUp({ body, target: targetOf(operation, text) });
          await holdsUp({ body, headers: { "X-Sandbox-Outcome": encodeURIComponent(text) } });
        }),
        propertyRuns(2, 30),
      );
    });
  },
);

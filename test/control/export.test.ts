/** GET /_sandbox/export/{kind}: what happened to an account, in the forms of other tools. */
import { expect, test } from "vitest";
import { call, post, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();

test("each kind has its form", async () => {
  const account = sandbox.account();
  await post(account, "/v1/phone/verify/start", { phone: "08031234567" });
  expect((await account.export("bundle")).snapshot).toHaveProperty("state");
  expect((await account.export("har")).log.entries).toHaveLength(1);
  expect((await account.export("pact", { consumer: "shop" })).pact.consumer.name).toBe("shop");
  expect((await account.export("scenario")).scenario).toHaveProperty("steps.0");
});

test("a kind refuses the fields that another has, and an unknown kind is named with those that there are", async () => {
  const account = sandbox.account();
  const refused = async (target: string) =>
    (await call(account, "GET", `/_sandbox/export/${target}`)).body.error;
  expect(await refused("har?inline=true")).toMatchObject({
    code: "validation_error",
    param: "inline",
    message: "The export har has no fields; got inline.",
  });
  expect((await refused("scenario?consumer=shop")).message).toBe(
    "The export scenario has since, inline; got consumer.",
  );
  expect((await refused("picture")).message).toMatch(/bundle.*har.*pact.*scenario/);
});

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { runProgram } from "./support/program.js";
import { call, post, useListeningSandbox } from "./support/sandbox.js";

const sandbox = useListeningSandbox();
const readme = await readFile("README.md", "utf8");
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, text]) => text as string,
  );

test("names every flag of the program, and no other", async () => {
  const { stdout } = await runProgram(["start", "--help"]);
  const flags = (text: string) =>
    new Set([...text.matchAll(/^\s*(?:\| `)?(--[a-z-]+)/gm)].map(([, flag]) => flag));
  expect(flags(readme)).toEqual(new Set([...flags(stdout)].filter((flag) => flag !== "--help")));
});

test("shows first calls whose real answers have the fields that it shows", async () => {
  const account = sandbox.account();
  const [shownStart, shownMessage] = blocks("json").map((text) => JSON.parse(text));
  const body = /-d '([^']+)'/.exec(
    blocks("sh").find((text) => text.includes("/v1/phone/verify/start")) ?? "",
  )?.[1];
  const start = await post(account, "/v1/phone/verify/start", body);
  expect(start.status).toBe(201);
  expect(Object.keys(start.body)).toEqual(Object.keys(shownStart));
  expect(Object.keys(await account.inbox.wait({ to: "08031234567" }))).toEqual(Object.keys(shownMessage));
});

test("shows calls of the service that succeed, one after the other", async () => {
  const account = sandbox.account();
  const calls = blocks("sh")
    .flatMap((text) => text.split("\n"))
    .flatMap((line) => {
      const [, method = "POST", path, body] =
        /^curl (?:-X (\w+) )?http:\S+?(\/v1\/\S+).* -d '(.+)'$/.exec(line) ?? [];
      return path && body ? [{ method, path, body }] : [];
    });
  expect(calls.length).toBeGreaterThanOrEqual(5);
  for (const { method, path, body } of calls)
    expect((await call(account, method, path, body)).status, path).toBeLessThan(300);
});

test("shows control calls that the sandbox answers", async () => {
  const account = sandbox.account();
  const calls = blocks("sh").flatMap((text) =>
    [...text.matchAll(/_sandbox(\/\S+).*-d '([^']+)'/g)].map(([, path = "", body = ""]) => ({
      path,
      body: JSON.parse(body) as object,
    })),
  );
  const paths = ["/events", "/clock/advance", "/rules", "/rules", "/rules", "/rules"];
  expect(calls.map(({ path }) => path)).toEqual(paths);
  for (const { path, body } of calls) await account.control("POST", path, body);
});

test("shows a signature check that accepts our deliveries and no others", async () => {
  const source = blocks("js").find((text) => text.includes("isGenuine")) as string;
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  const account = sandbox.account();
  const { secret } = (await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/" })).body;
  await account.events.trigger("payout.paid");
  await account.advance("1m");
  const [attempt] = (await account.deliveries.list())[0]?.attempts ?? [];
  const signature = attempt?.request_headers["X-Service-Signature"];
  expect(isGenuine(attempt?.request_body, signature, secret)).toBe(true);
  expect(isGenuine(`${attempt?.request_body} `, signature, secret)).toBe(false);
});

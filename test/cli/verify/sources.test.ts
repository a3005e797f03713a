import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answer, ask, http, pact, pactFile } from "../../pact/verify/pacts.js";
import { freshFolder } from "../../support/folder.js";
import { runProgram } from "../../support/program.js";
import { startBroker } from "./broker-stub.js";
import { met, verify, wrong } from "./run-verify.js";

describe("standin verify", () => {
  test("verifies every pact of a folder, ordered by name", async () => {
    const cwd = freshFolder();
    pactFile(pact([met], "web"), cwd, "b.json");
    pactFile(pact([met], "app"), cwd, "a.json");
    const { interactions } = JSON.parse((await verify([".", "--json"], {}, cwd)).stdout);
    expect(interactions.map(({ consumer }: { consumer: string }) => consumer)).toEqual(["app", "web"]);
  });

  test("with --provider, verifies only the pacts of that provider", async () => {
    const others = { ...pact([wrong], "web"), provider: { name: "search" } };
    const files = { "pacts/app.json": pact([met], "app"), "pacts/web.json": others };
    const cwd = freshFolder();
    mkdirSync(join(cwd, "pacts"));
    const { code, stdout } = await verify(["pacts", "--provider", "service", "--json"], files, cwd);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { interactions: [{ consumer: "app" }] }]);
    const none = await verify(["pacts", "--provider", "servise"], {}, cwd);
    expect(none).toMatchObject({
      code: 2,
      stderr: 'standin: no pact has the provider "servise"; the pacts are with "service", "search"\n',
    });
  });

  test("fetches pacts from URLs, with a token", async () => {
    const { url, requests } = await startBroker([{ pact: pact([met]) }]);
    const { code, stdout } = await verify([`${url}/pacts/0`, "--token", "secret"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`shop ${url}/pacts/0\n  ✓ the balance`);
    expect(requests).toMatchObject([{ route: "GET /pacts/0", authorization: "Bearer secret" }]);
  });

  const publishing = (url: string) => [
    ...["--broker-url", url, "--provider", "service", "--token", "secret"],
    ...["--consumer-version-selectors", '{"mainBranch":true}', "--provider-branch", "main"],
    ...["--publish", "--provider-version", "1.2.3"],
  ];

  test("fetches pacts from a broker, and publishes the results with --publish", async () => {
    const { url, requests, body } = await startBroker([{ pact: pact([wrong, met]) }]);
    const { code, stdout } = await verify([...publishing(url), "--json"], {}, freshFolder(), runProgram);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      failures: [],
      interactions: [
        { source: url, consumer: "shop", description: "a balance as text", result: "failed" },
        { source: url, consumer: "shop", description: "the balance", result: "passed" },
      ],
    });
    expect(new Set(requests.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer secret"]));
    expect(body("POST /pacts/for-verification")).toMatchObject({
      consumerVersionSelectors: [{ mainBranch: true }],
      providerVersionBranch: "main",
    });
    expect(body("POST /results")).toMatchObject({ success: false, providerApplicationVersion: "1.2.3" });
  });

  test.each([
    ["published", true],
    ["not published", false],
  ])(
    "repeats the broker's notices of every pact, each for how that pact ended: %s",
    async (_end, publish) => {
      const ends = ["true", "false"].flatMap((success) =>
        ["true", "false"].map((published) => `success_${success}_published_${published}`),
      );
      const whens = ["before_verification", ...ends.map((end) => `after_verification:${end}`)];
      const notices = (name: string) => whens.map((when) => ({ when, text: `${name} ${when}` }));
      const { url, requests } = await startBroker([
        { pact: pact([met]), notices: notices("shop") },
        { pact: pact([wrong, met], "office"), notices: notices("office") },
      ]);
      const unpublished = ["--broker-url", url, "--provider", "service", "--token", "secret"];
      const args = publish ? publishing(url) : unpublished;
      const { warnings } = JSON.parse((await verify([...args, "--json"])).stdout);
      expect(warnings).toEqual([
        "shop before_verification",
        `shop after_verification:success_true_published_${publish}`,
        "office before_verification",
        `office after_verification:success_false_published_${publish}`,
      ]);
      expect(new Set(requests.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer secret"]));
    },
  );

  test("a null of a broker's pact meets no pattern, whatever the broker is told", async () => {
    const request = ask("POST", "/v1/phone/verify/start", { phone: "+2348031234567" });
    const pattern = { match: "regex", regex: "[a-z]+" };
    const reply = answer(201, { reference: "ada" }, { "$.reference": pattern });
    const broken = http("no reference", request, reply);
    const { url } = await startBroker([{ pact: pact([met]) }, { pact: pact([met, broken], "office") }]);
    const { code, stdout } = await verify([...publishing(url), "--json"]);
    const { interactions, warnings } = JSON.parse(stdout);
    expect([code, warnings]).toEqual([
      1,
      [
        'the broker was told that "no reference" passed, because Pact\'s verifier lets null match any pattern',
      ],
    ]);
    expect(interactions).toMatchObject([
      { consumer: "shop", result: "passed" },
      { consumer: "office", result: "passed" },
      { problems: ["body $.reference: expected a text that matches /[a-z]+/, got null"], result: "failed" },
    ]);
  });

  test("verifies a live key's interactions on a live account, whose states are set up too", async () => {
    const live = (method: string, path: string, body?: object) =>
      ask(method, path, body, { "X-Service-Key": "svc_live_shop" });
    const poor = http("a balance", live("GET", "/v1/balance"), answer(200, { balance: 42 }), {
      name: "a wallet balance",
      params: { balance: 42 },
    });
    const request = live("POST", "/v1/phone/verify/check", { id: "phv_0", code: "000000" });
    const inState = (name: string) => ({
      type: "ProviderState",
      expression: `\${${name}}`,
      dataType: "STRING",
    });
    const generators = { body: { "$.id": inState("id"), "$.code": inState("code") } };
    const check = http(
      "a code",
      { ...request, generators },
      answer(200, { verified: true }),
      "a pending phone verification",
    );
    const { url } = await startBroker([{ pact: pact([poor, check]) }]);
    const { code, stdout } = await verify(["--broker-url", url, "--provider", "service", "--json"]);
    expect(JSON.parse(stdout).interactions.map(({ problems }: { problems: string[] }) => problems)).toEqual([
      [],
      [],
    ]);
    expect(code).toBe(0);
  });

  test("fails if the broker rejects the results, although all interactions pass", async () => {
    const { url } = await startBroker([{ pact: pact([met]) }], { acceptsResults: false });
    const { code, stdout } = await verify(publishing(url));
    expect(code).toBe(1);
    expect(stdout).toContain("  ✓ the balance");
    expect(stdout).toMatch(/\nfailure publishing the results to the broker failed: .*404/);
  });

  test("fails with the reason if there is no broker at the URL", async () => {
    const { url } = await startBroker([{ pact: pact([met]) }]);
    const { code, stdout, stderr } = await verify(["--broker-url", `${url}/none`, "--provider", "service"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^standin: .*broker/i);
  });

  test("exits with 3 if the broker has no pact for the provider", async () => {
    const { url } = await startBroker([]);
    const { code, stdout } = await verify(["--broker-url", url, "--provider", "service"]);
    expect([code, stdout]).toEqual([3, expect.stringContaining("the broker has no pact for service")]);
  });

  const broker = ["--broker-url", "http://a", "--provider", "service"];
  const branch = ["--provider-branch", "main"];
  const notFound = "http://127.0.0.1:1/pact.json";
  test.each<[string, string[], RegExp]>([
    ["nothing", [], /^standin: name pact files, folders or URLs, or else use --broker-url/],
    [
      "a file that does not exist",
      ["none.json"],
      /^standin: none\.json cannot be read: there is no such file/,
    ],
    ["a file that is not JSON", ["text.json"], /^standin: text\.json is not JSON: /],
    [
      "a file that is not a pact",
      ["other.json"],
      /^standin: other\.json is not a pact: it needs consumer, provider and inter/,
    ],
    [
      "a URL at which no server answers",
      [notFound],
      /^standin: http:\/\/127\.0\.0\.1:1\/pact\.json cannot be fetched: /,
    ],
    ["a broker without a provider", ["--broker-url", "http://a"], /--broker-url requires --provider/],
    [
      "results without a version",
      ["--broker-url", "http://a", "--provider", "b", "--publish"],
      /--provider-version/,
    ],
    [
      "selectors that are not JSON",
      ["--consumer-version-selectors", "main"],
      /such as \{"mainBranch": true\}/,
    ],
    [
      "a selector that does not exist",
      [...broker, "--consumer-version-selectors", '{"mainBranh": true}'],
      /mainBranh is not known; the nearest is mainBranch/,
    ],
    [
      "a selector with a wrong value",
      [...broker, "--consumer-version-selectors", '[{"branch": "main"}, {"latest": "yes"}]'],
      /\{"latest":"yes"\} is not valid: latest must be a boolean; got "yes"/,
    ],
    [
      "a date that does not exist",
      [...broker, ...branch, "--include-wip-pacts-since", "2026-02-30"],
      /--include-wip-pacts-since must be a date such as 2026-01-31; got 2026-02-30/,
    ],
    [
      "pending pacts without a branch",
      [...broker, "--enable-pending"],
      /--enable-pending requires --provider-/,
    ],
    [
      "work-in-progress pacts without a branch",
      [...broker, "--include-wip-pacts-since", "2026-02-20"],
      /--include-wip-pacts-since requires --provider-branch/,
    ],
    [
      "a matching branch without a branch",
      [...broker, "--consumer-version-selectors", '{"matchingBranch": true}'],
      /matchingBranch requires --provider-branch/,
    ],
    ["a broker option without a broker", ["other.json", "--publish"], /--publish requires --broker-url/],
    ["a port without --serve", ["other.json", "--port", "5000"], /--port requires --serve/],
    ["pacts with --serve", ["other.json", "--serve"], /--serve takes no pacts/],
    ["a broker with --serve", [...broker, "--serve"], /--serve takes no pacts/],
    [
      "a provider with --serve",
      ["--provider", "service", "--serve"],
      /--serve takes no pacts and no provider/,
    ],
    [
      "an assumption that does not exist",
      ["good.json", "--assume", "nope=1"],
      /^standin: assumption nope cannot/,
    ],
    ["an option that does not exist", ["--jnuit", "a.xml"], /unknown option '--jnuit'/],
  ])("reports %s on stderr and exits with 2", async (_what, args, pattern) => {
    const cwd = freshFolder();
    pactFile("{", cwd, "text.json");
    pactFile({ openapi: "3.1.0" }, cwd, "other.json");
    pactFile(pact([met]), cwd, "good.json");
    const { code, stdout, stderr } = await verify(args, {}, cwd);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(pattern);
  });
});

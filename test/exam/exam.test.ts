/** `standin exam`, on commands that are as small as they can be. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { spawnProgram } from "../cli/spawned-program.js";
import { programFile, runProgram, temporaryFolder } from "../support/program.js";
import { client, commandOf, examine } from "./corpus.js";

/** Reads what was paid into an account that has received a payment. */
const paidIn = `await post("/_sandbox/scenarios", { name: "set-up", given: { payments: [{ amount: 20000 }] } });
  const paidIn = async () => (await get("/v1/business/virtual-accounts")).accounts[0].total_received;`;

/** It depends on what was paid in, and no test looks at it. */
const shows = `${paidIn} console.log((await paidIn()).toFixed(2));`;
const unchecked = client(shows);

test("a finding is a file that exec --with plays again, and the reports name it", async () => {
  const flags = ["--only", "noticed", "--junit", "exam.xml", "--html", "exam.html"];
  const { code, card, stdout, cwd } = await examine(unchecked, flags);
  expect([code, card.grade, card.version]).toEqual([1, "B", 1]);
  expect(card.tried).toEqual([
    {
      id: "noticed/listVirtualAccounts/money",
      class: "noticed",
      subject: "listVirtualAccounts",
      title: "Every reply of listVirtualAccounts has other amounts: accounts.*.total_received 200.",
      result: "finding",
    },
  ]);
  const [finding] = card.findings;
  expect(finding).toMatchObject({
    operation: "listVirtualAccounts",
    event: null,
    perturbation: [{ on: "listVirtualAccounts", fault: { set: { "accounts.*.total_received": 200 } } }],
    evidence: ["The command passed all the same: no test looks at it."],
    file: "exam/noticed-listVirtualAccounts-money.yaml",
  });
  expect(finding?.reproduce).toMatch(
    /^standin exec --with exam\/noticed-listVirtualAccounts-money\.yaml -- node /,
  );
  expect(stdout).toContain("Grade B: the tests do not notice what they should.");
  expect(readFileSync(join(cwd, "exam.xml"), "utf8")).toMatch(/tests="1" failures="1"/);
  const page = readFileSync(join(cwd, "exam.html"), "utf8");
  expect(page).toContain("Every reply of listVirtualAccounts has other amounts");
  // The picture of what happened when it was shown.
  expect(page).toMatch(/client to service: GET \/v1\/business\/virtual-accounts/);
  expect(page).not.toMatch(/<script|src=|href=|@import|url\(/);

  const show = client(`${paidIn} console.log(await paidIn(), await paidIn());`);
  const again = await runProgram(
    ["exec", "--no-summary", "--with", finding?.file as string, "--", ...show],
    cwd,
  );
  expect(again.stdout).toBe("200 200\n");
});

test("rules are those of every account that the command opens, and after a reset", async () => {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, "limits.yaml"),
    "name: limits\nrules:\n  - { on: getBalance, fault: { error: rate_limited }, times: 1 }\n",
  );
  const code = `const status = async (key) => (await fetch(base + "/v1/balance", { headers: { "X-Service-Key": key } })).status;
    const seen = [await status(key), await status(key), await status("svc_test_other_one")];
    await fetch(base + "/_sandbox/reset", { method: "POST", headers: { "X-Service-Key": key } });
    console.log(...seen, await status(key));`;
  const { stdout } = await runProgram(
    ["exec", "--no-summary", "--with", "limits.yaml", "--", ...client(code)],
    folder,
  );
  expect(stdout).toBe("429 200 429 429\n");
});

test("a file with more than rules, or without rules, is refused", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "empty.yaml"), "name: empty\n");
  const run = (file: string) => runProgram(["exec", "--with", file, "--", "node", "--version"], folder);
  const payout = await run("payout-paid");
  expect(payout.code).toBe(2);
  expect(payout.stderr).toContain(
    "--with takes rules alone, and scenarios/payout-paid.yaml also has given, steps",
  );
  expect((await run("empty.yaml")).stderr).toContain("--with takes rules, and empty.yaml has none");
});

test("a command that fails, calls nothing or differs from run to run is not examined", async () => {
  const folder = temporaryFolder();
  const stderrOf = async (code: string, exitCode = 2) => {
    const { code: exit, stderr } = await runProgram(["exam", "--", ...client(code)], folder);
    expect(exit).toBe(exitCode);
    return stderr;
  };
  expect(await stderrOf("console.error('no shop'); process.exit(3)")).toMatch(
    /no shop[\s\S]*the command fails undisturbed \(exit code 3\)/,
  );
  expect(await stderrOf("", 3)).toContain("nothing called the service");
  const marker = JSON.stringify(join(folder, "once"));
  const once = `import { existsSync, writeFileSync } from "node:fs";
    if (existsSync(${marker})) await get("/v1/pricing"); else writeFileSync(${marker}, "");
    await get("/v1/balance");`;
  expect(await stderrOf(once)).toMatch(
    /two undisturbed runs differ.*getPricing occurs in the second run alone/,
  );
  expect(existsSync(join(folder, "exam"))).toBe(false);
});

test("a command that never ends undisturbed is ended when the budget is over, and not examined", async () => {
  const { code, stderr } = await runProgram([
    ...[
      "exam",
      "--budget",
      "1ms",
      "--",
      ...client(`await get("/v1/balance"); await new Promise(() => setInterval(() => {}, 1000));`),
    ],
  ]);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^standin: the command does not end by itself undisturbed: it was ended after .* s; --budget gives/m,
  );
});

test("--only refuses a name that selects nothing, and says which there are", async () => {
  const { code, stderr } = await runProgram([
    "exam",
    "--only",
    "absorbed,listVirtualAccount",
    "--",
    ...unchecked,
  ]);
  expect(code).toBe(2);
  expect(stderr).toContain(
    "--only: nothing that the command does is called listVirtualAccount; there is absorbed, survived, noticed, listVirtualAccounts",
  );
});

test("an exam that tried nothing has no grade, and says so in every report", async () => {
  const reports = ["--junit", "exam.xml", "--html", "exam.html", "--allow-partial"];
  const { code, card, stdout, stderr, cwd } = await examine(unchecked, ["--budget", "1ms", ...reports]);
  expect([code, card.grade, card.complete, card.tried]).toEqual([3, null, false, []]);
  const notGraded = `Not graded: 0 of ${card.not_tried.length} tried`;
  expect(stdout).toContain(`${notGraded}.`);
  expect(stderr).toContain("standin: nothing was tried, so that nothing is known about the client");
  const junit = readFileSync(join(cwd, "exam.xml"), "utf8");
  expect(junit).toContain(`<failure message="${notGraded}. nothing was tried`);
  expect(junit).toContain('failures="1"');
  const page = readFileSync(join(cwd, "exam.html"), "utf8");
  expect(page).toContain(`<p class="verdict wait">${notGraded}</p>`);
  expect([stdout, page].join()).not.toMatch(/grade a|no finding/i);
  expect(card.not_tried.map(({ reason }) => reason)).toEqual(card.not_tried.map(() => "budget"));
  expect(card.not_tried.length).toBeGreaterThan(10);
  expect(stdout).toMatch(/\d+ disturbances not tried for lack of time/);
});

test("an exam that had no time for everything says so beside its grade, and passes only with --allow-partial", async () => {
  const budgetMs = 10_000;
  const lost = "survived/getBalance/reply-lost,survived/getBalance/truncated";
  /** The third run, which is the first disturbed one, ends when the time of the exam is over. */
  const slow = (folder: string) =>
    client(`import { appendFileSync, readFileSync } from "node:fs";
      appendFileSync("${folder}/runs", Date.now() + " ");
      const runs = readFileSync("${folder}/runs", "utf8").trim().split(" ").map(Number);
      const end = runs.length > 2 ? runs[0] + ${budgetMs} : Date.now();
      await new Promise((resolve) => setTimeout(resolve, end - Date.now()));
      await get("/v1/balance").catch(() => {});`);
  const examineIn = (folder: string, flags: string[]) =>
    examine(
      slow(folder),
      ["--jobs", "1", "--only", lost, "--budget", `${budgetMs}ms`, "--junit", "exam.xml", ...flags],
      folder,
    );
  const [refused, allowed] = await Promise.all([
    examineIn(temporaryFolder(), []),
    examineIn(temporaryFolder(), ["--allow-partial"]),
  ]);
  const tried = `1 of ${1 + refused.card.not_tried.length} tried`;
  for (const { card, stdout } of [refused, allowed]) {
    expect([card.grade, card.complete, card.tried.length]).toEqual(["A", false, 1]);
    expect(stdout).toContain(`Grade A of ${tried}: no finding.`);
  }
  expect([refused.code, allowed.code]).toEqual([3, 0]);
  expect(refused.stderr).toContain(
    `only ${tried}; --budget gives an exam more time, and --allow-partial accepts less`,
  );
  const junitOf = ({ cwd }: typeof refused) => readFileSync(join(cwd, "exam.xml"), "utf8");
  expect(junitOf(refused)).toMatch(/failures="1"[\s\S]*<failure message="Grade A of 1 of \d+ tried/);
  expect(junitOf(allowed)).toContain('failures="0"');
});

test("what a client does wrong undisturbed is one finding, however many accounts show it, and fails the exam and its reports", async () => {
  const careless = `const leak = (key) => fetch(base + "/v1/balance?code=123456", { headers: { "X-Service-Key": key } });
    await leak(key); await leak("svc_test_another_one");`;
  const reports = ["--junit", "exam.xml", "--html", "exam.html"];
  const { code, card, stdout, cwd } = await examine(client(careless), [
    ...["--only", "absorbed/getBalance/unknown-field"],
    ...reports,
  ]);
  expect(card.baseline.conduct).toEqual([expect.stringMatching(/\(getBalance\)/)]);
  expect([code, card.grade]).toEqual([1, "D"]);
  expect(card.findings).toMatchObject([
    {
      id: "undisturbed/getBalance/secret-in-url",
      class: "undisturbed",
      operation: "getBalance",
      perturbation: [],
      evidence: [expect.stringContaining("code")],
      file: null,
      reproduce: expect.stringMatching(/^standin exec -- node /),
    },
  ]);
  expect(stdout).toContain("[undisturbed/getBalance/secret-in-url]");
  const junit = readFileSync(join(cwd, "exam.xml"), "utf8");
  expect(junit).toMatch(/failures="1"[\s\S]*classname="exam.undisturbed" name="[^"]+"[^>]*><failure /);
  expect(readFileSync(join(cwd, "exam.html"), "utf8")).toContain("undisturbed/getBalance/secret-in-url");
});

test.skipIf(process.platform !== "linux")(
  "processes that the command leaves running are named in every report",
  async () => {
    const leaving = client(`import { spawn } from "node:child_process";
      spawn("sleep", ["1234"], { detached: true, stdio: "ignore" }).unref();
      await get("/v1/balance");`);
    const reports = ["--junit", "exam.xml", "--html", "exam.html"];
    const { card, stdout, cwd } = await examine(leaving, ["--budget", "1ms", "--jobs", "1", ...reports]);
    onTestFinished(() => {
      for (const { pid } of card.left_running) process.kill(pid);
    });
    expect(card.left_running.map(({ command }) => command)).toEqual(["sleep 1234", "sleep 1234"]);
    const [one, other] = card.left_running.map(({ pid }) => pid);
    const told = `left 2 processes running, which "kill ${one} ${other}" ends: sleep 1234; sleep 1234.`;
    expect(stdout).toContain(told);
    for (const file of ["exam.xml", "exam.html"])
      expect(readFileSync(join(cwd, file), "utf8").replaceAll("&quot;", '"')).toContain(told);
  },
);

test("what must be survived shares runs where the tests open several accounts", async () => {
  const cwd = temporaryFolder();
  const marker = join(cwd, "runs");
  const several = client(`import { appendFileSync } from "node:fs";
    appendFileSync(${JSON.stringify(marker)}, ".");
    for (const key of ["svc_test_one", "svc_test_two", "svc_test_three", "svc_test_four"])
      await fetch(base + "/v1/balance", { headers: { "X-Service-Key": key }, signal: AbortSignal.timeout(2_000) })
        .then((reply) => reply.json()).catch(() => {});`);
  const { code, card } = await examine(several, ["--only", "survived", "--jobs", "1"], cwd);
  expect([code, card.complete, card.findings]).toEqual([0, true, []]);
  expect(card.tried.length).toBeGreaterThan(6);
  const undisturbed = 2;
  expect(readFileSync(marker, "utf8").length - undisturbed).toBeLessThan(card.tried.length / 2);
});

test("two exams of the same client give the same card, but for times", async () => {
  const command = commandOf("node/read-gives-up.mjs");
  const flags = ["--only", "getBalance"];
  const cwd = temporaryFolder();
  const [one, other] = [await examine(command, flags, cwd), await examine(command, flags, cwd)];
  const timeless = ({ card }: typeof one) => ({
    ...card,
    duration_ms: 0,
    baseline: { ...card.baseline, duration_ms: 0 },
    findings: card.findings.map(({ output: _output, ...finding }) => finding),
  });
  expect(timeless(other)).toEqual(timeless(one));
  expect(one.card.findings.map(({ id }) => id)).toEqual(["absorbed/getBalance/rate-limited"]);
  expect(one.card.not_tried).toContainEqual(
    expect.objectContaining({ id: "absorbed/getBalance/unavailable", reason: "includes a finding" }),
  );
});

test("runs are beside each other only if the command passes beside itself", async () => {
  const flags = ["--jobs", "2", "--verbose", "--only", "noticed"];
  const shared = await examine(unchecked, flags);
  expect(shared.stderr.match(/^--- nothing disturbed.*$/gm)?.slice(0, 3)).toEqual([
    "--- nothing disturbed",
    "--- nothing disturbed, 2 at a time",
    "--- nothing disturbed, 2 at a time",
  ]);
  expect(shared.stderr).not.toContain("--- nothing disturbed, again");

  const folder = temporaryFolder();
  const [log, lock, refused] = ["log", "lock", "refused"].map((name) => JSON.stringify(join(folder, name)));
  // The second and the third run meet: the one that has the lock waits for the other.
  const exclusive =
    client(`import { appendFileSync, existsSync, mkdirSync, readFileSync, rmdirSync } from "node:fs";
    appendFileSync(${log}, ".");
    const run = readFileSync(${log}, "utf8").length;
    try { mkdirSync(${lock}); } catch { appendFileSync(${refused}, ""); process.exit(1); }
    process.on("exit", () => rmdirSync(${lock}));
    for (let waited = 0; (run === 2 || run === 3) && waited < 500 && !existsSync(${refused}); waited++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    ${shows}`);
  const { stderr, card } = await examine(exclusive, flags);
  expect(stderr).toContain("--- nothing disturbed, again");
  expect(card.tried.map(({ result }) => result)).toEqual(["finding"]);
});

test("--since last tries first what was found, then what is new, and then the rest", async () => {
  const cwd = temporaryFolder();
  const limited = ["getBalance", "getPricing", "listVirtualAccounts"].map(
    (read) => `absorbed/${read}/rate-limited`,
  );
  const [balance, pricing, accounts] = limited;
  const read = (path: string) => `if ((await get("${path}")).error) process.exit(1);`;
  const patient = (path: string) => `if ((await get("${path}")).error) {
    await new Promise((go) => setTimeout(go, 2_000));
    ${read(path)}
  }`;
  const examineReads = (reads: readonly string[], flags: string[]) =>
    examine(client(reads.join("\n")), ["--jobs", "1", ...flags], cwd);
  const before = await examineReads(
    [patient("/v1/balance"), read("/v1/pricing")],
    ["--only", [balance, pricing].join()],
  );
  expect(before.card.findings.map(({ id }) => id)).toEqual([pricing]);
  const paths = ["/v1/balance", "/v1/pricing", "/v1/business/virtual-accounts"];
  const triedWith = async (...flags: string[]) => {
    const { card } = await examineReads(paths.map(patient), ["--only", limited.join(), ...flags]);
    return card.tried.map(({ id }) => id);
  };
  expect(await triedWith("--since", "last")).toEqual([pricing, accounts, balance]);
  expect(await triedWith()).toEqual(limited);
});

test("Ctrl+C ends the command and leaves a partial report", async () => {
  const folder = temporaryFolder();
  const marker = join(folder, "runs");
  const command = client(`import { appendFileSync, readFileSync } from "node:fs";
    appendFileSync(${JSON.stringify(marker)}, ".");
    await get("/v1/balance");
    if (readFileSync(${JSON.stringify(marker)}, "utf8").length > 3) { console.error("waiting"); await new Promise(() => setInterval(() => {}, 1000)); }`);
  const args = [
    programFile,
    "exam",
    "--verbose",
    "--jobs",
    "1",
    "--only",
    "absorbed",
    "--card",
    "card.json",
    "--",
    ...command,
  ];
  const running = spawnProgram(process.execPath, args, { cwd: folder, detached: true });
  await running.waitFor(/waiting/);
  running.child.kill("SIGINT");
  expect(await running.exitCode).toBe(130);
  const card = JSON.parse(readFileSync(join(folder, "card.json"), "utf8"));
  expect(card.complete).toBe(false);
  expect(card.tried.length).toBeGreaterThan(0);
  expect(running.stdout()).toMatch(/Grade A of \d+ of \d+ tried: no finding\./);
});

describe("--reconcile", () => {
  const beliefs = (code: string) =>
    client(code)
      .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
      .join(" ");
  const verify = client(`const { id } = await post("/v1/phone/verify/start", { phone: "+2348031234567" });
    const { codes } = await get("/_sandbox/inbox/wait?to=%2B2348031234567");
    await post("/v1/phone/verify/check", { id, code: codes[0] });`);
  const believing = (value: object) => beliefs(`console.log(JSON.stringify(${JSON.stringify(value)}))`);

  test("a system that believes what did not happen is a finding", async () => {
    const { code, card } = await examine(verify, [
      ...["--only", "survived/checkPhoneVerification/reset"],
      ...["--reconcile", believing({ verified: ["+2348031234567"] })],
    ]);
    expect(code).toBe(1);
    expect(card.findings.map(({ id, evidence }) => [id, ...evidence])).toEqual([
      [
        "survived/checkPhoneVerification/reset",
        "The client believes that +2348031234567 is verified, and it is pending.",
      ],
    ]);
  });

  test.each([
    [{ verified: ["+2348030000000"] }, "is verified, and no code was sent to it"],
    [
      { payments: { po_1: "paid" } },
      "The client believes that po_1 is paid, and the sandbox has no such record",
    ],
    [{ balances: { available: 5 } }, "The client believes that NGN 5 are available, and NGN 0.00 are"],
    [{ balance: 5 }, "balance is not a field"],
  ])("%j diverges undisturbed, so that nothing is examined", async (value, message) => {
    const args = ["exam", "--reconcile", believing(value), "--", ...verify];
    const { code, stderr } = await runProgram(args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test("a command that fails or prints no JSON is named", async () => {
    const stderrOf = async (command: string) =>
      (await runProgram(["exam", "--reconcile", command, "--", ...verify])).stderr;
    expect(await stderrOf("exit 7")).toContain("The command of --reconcile failed (exit code 7)");
    expect(await stderrOf("echo done")).toContain("has to print one JSON document");
  });
});

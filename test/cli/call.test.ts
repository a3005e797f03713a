/** `standin call`, which reaches every operation of the service and of the control API. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../src/client/account/account.js";
import { controlOperations } from "../../src/control/index.js";
import { serviceOperations } from "../../src/service/index.js";
import { runProgram, temporaryFolder } from "../support/program.js";
import { runHere } from "./run-here.js";
import { connectionTo, standin, standinHere, useProgram } from "./use-program.js";

const program = useProgram();

const call = async (account: SandboxAccount, ...args: string[]) =>
  JSON.parse(await standinHere(account, "call", ...args));

describe("standin call", () => {
  test("alone lists the operations of the service and of the control API", async () => {
    const { code, stdout } = await runHere(["call"]);
    const listed = stdout.split("\n").slice(1, -1);
    const ids = [...serviceOperations, ...controlOperations].map(({ id }) => id);
    expect([code, listed.map((line) => line.split(" ", 1)[0])]).toEqual([0, ids]);
    expect(listed.find((line) => line.startsWith("getAudit "))).toMatch(/ GET \/v1\/audits\/\{id\} /);
  });

  test("calls the service, with a path, a query and a body from the same fields", async () => {
    const account = program.account();
    const started = JSON.parse(await standin(account, "call", "startPhoneVerification", "phone=08031234567"));
    expect(started).toMatchObject({ phone: "+2348031234567", status: "pending" });
    const [{ codes = [] } = {}] = await account.inbox.list();
    const checked = await call(account, "checkPhoneVerification", `id=${started.id}`, `code=${codes[0]}`);
    expect(checked).toMatchObject({ verified: true });
    expect(await call(account, "listDeliveries", "status=failed", "limit=1")).toEqual({ items: [] });
  });

  test("sends a field of any name, also one that every object inherits", async () => {
    const account = program.account();
    const fields = ["data.__proto__.x=1", "data.constructor=2"];
    await call(account, "triggerEvent", "event=payout.paid", ...fields);
    const text = await standinHere(account, "call", "listEvents");
    expect(text).toMatch(/"__proto__":\s*\{\s*"x":\s*1\s*\}/);
    expect(text).toMatch(/"constructor":\s*2/);
    expect({}).not.toHaveProperty("x");
  });

  test("reads each value by its schema: numbers, texts of digits, switches, and fields of an object", async () => {
    const account = program.account();
    expect(
      await call(
        account,
        "createRule",
        "on=verifyBvn",
        "outcome=no_match",
        "times=2",
        'when.body.bvn="22123456789"',
      ),
    ).toMatchObject({ times: 2, when: { body: { bvn: "22123456789" } } });
    expect(
      await call(account, "updateAccount", "tools_pass=true", "balance=12.5", "code=123456"),
    ).toMatchObject({
      tools_pass: true,
      balance: 12.5,
      code: "123456",
    });
    expect(
      await call(account, "triggerEvent", "event=payout.paid", 'data={"id":"po_1"}', "data.amount=7000"),
    ).toMatchObject({ event: "payout.paid", data: { id: "po_1", amount: 7000 } });
  });

  test("adds fields to the body of --body", async () => {
    const account = program.account();
    const args = ["triggerEvent", "--body", '{"event":"payout.paid","data":{"id":"po_1"}}'];
    expect(await call(account, ...args)).toMatchObject({ event: "payout.paid", data: { id: "po_1" } });
    expect(await call(account, ...args, "event=payout.failed")).toMatchObject({ event: "payout.failed" });
  });

  test("sends files, gets a session token where one is needed, and forces outcomes", async () => {
    const account = program.account();
    const file = join(temporaryFolder(), "note.txt");
    writeFileSync(file, "Hello");
    const { stderr, code } = await runHere([
      "call",
      "convertPdfToDocx",
      `file=@${file}`,
      ...connectionTo(account),
    ]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/convertPdfToDocx 4\d\d /)]);
    expect(await call(account, "startDomainVerification", "domain=shop.example.com")).toMatchObject({
      domain: "shop.example.com",
    });
    const forced = await runHere([
      "call",
      "getBalance",
      "--outcome",
      "rate_limited",
      ...connectionTo(account),
    ]);
    expect([forced.code, JSON.parse(forced.stdout)]).toMatchObject([1, { error: { code: "rate_limited" } }]);
  });

  test("prints a refusal, and ends with 1 and its reason", async () => {
    const args = ["call", "verifyBvn", "bvn=1", ...connectionTo(program.account())];
    const { code, stdout, stderr } = await runHere(args);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "invalid_bvn" } });
    expect(stderr).toMatch(/^standin: .*\(verifyBvn 4\d\d invalid_bvn\)\n$/);
  });

  test("prints a reply that is no JSON as it is, and with --json one line", async () => {
    const account = program.account();
    expect(await standinHere(account, "call", "getMetrics")).toContain("standin_commits_total");
    expect(await standinHere(account, "call", "getBalance", "--json")).toMatch(/^\{.*\}\n$/);
    expect(await standinHere(account, "call", "exportAccount", "kind=har", "--json")).toMatch(/^\{"log":/);
  });

  test.each([
    [["createPayot"], "there is no operation createPayot; the nearest is createPayout"],
    [["getRelay"], "getRelay was removed in version 0.3: "],
    [["getHar"], "getHar was removed in version 0.3: use exportAccount with kind=har, "],
    [["refunds"], "some have it in their name or path: "],
    [["createPayout", "amout=1"], "createPayout has no field amout: it has "],
    [["createPayout", "amout=1"], "; the nearest is amount"],
    [["getAudit"], "getAudit needs id=…; its path is /v1/audits/{id}"],
    [["getBalance", "now"], "now is no field; a field is written as name=value"],
    [["createPayout", "amount=1", "amount=2"], "amount is given twice"],
    [["createPayout", "--body", "7"], "--body must be a JSON object"],
    [["convertPdfToDocx", "file=@none.pdf"], "the file none.pdf of the field file cannot be read"],
    [["convertPdfToDocx", "file=@."], "the file . of the field file cannot be read: it is a folder; give"],
    [["createPayout", "amount=1e400"], "amount is a number that is too large to be sent"],
    [["createPayout", "--body", '{"amount":-1e400}'], "amount is a number that is too large to be sent"],
  ])("%j is refused, and the message says what would be right", async (args, message) => {
    const { code, stdout, stderr } = await runHere(["call", ...args]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });

  test("OPERATION --help describes its fields, outcomes and errors", async () => {
    const { code, stdout } = await runProgram(["call", "createPayout", "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^createPayout {2}POST \/v1\/business\/payouts /);
    expect(stdout).toMatch(/^body amount: number/m);
    expect(stdout).toMatch(/^outcome rejected: /m);
    expect(stdout).toContain("Usage: standin call");
    expect((await runHere(["call", "verifyBvn", "--help"])).stdout).toContain(
      "body phone_number?: any, such as",
    );
    expect((await runHere(["call", "createPayot", "--help"])).stderr).toContain(
      "the nearest is createPayout",
    );
  });

  test.each([
    ["standin call createPayo", "createPayout"],
    ["standin call advanceC", "advanceClock"],
    ["standin call createPayout am", "amount="],
    ["standin call listDeliveries status=f", "status=failed"],
    ["standin call listDeliveries status=failed limit=3 ev", "event="],
  ])("%s is completed", async (line, offer) => {
    expect((await runHere(["complete", line])).stdout.split("\n")).toContain(offer);
  });
});

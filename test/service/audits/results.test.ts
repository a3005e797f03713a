import { describe, expect, test } from "vitest";
import fixture from "../../../fixtures/audit-findings.json" with { type: "json" };
import type { SandboxAccount } from "../../../src/index.js";
import { call, post, type Reply, useSandbox } from "../../support/sandbox.js";
import { check, publish, started } from "../domains/dashboard.js";

const sandbox = useSandbox();
const path = "/v1/audits";

type Body = Reply["body"];
interface Finding {
  category: string;
  severity: "critical" | "warning" | "info";
  title: string;
}

const standard = async (account: SandboxAccount, url: string): Promise<Body> =>
  (await post(account, path, { url })).body;

/** Completes deep audits of these sites and returns them. */
async function deep(account: SandboxAccount, urls: readonly string[], more = {}): Promise<Body[]> {
  const accepted = await Promise.all(urls.map((url) => post(account, path, { url, tier: "deep", ...more })));
  await account.advance("4m");
  return Promise.all(
    accepted.map(async ({ body }) => (await call(account, "GET", `${path}/${body.id}`)).body),
  );
}

const sites = Array.from({ length: 30 }, (_, number) => `https://shop${number}.example/`);
const titles = ({ findings }: Body): string[] => findings.map(({ title }: Finding) => title);
/** Creates an account that can pay for thirty deep audits. */
async function rich(): Promise<SandboxAccount> {
  const account = sandbox.account();
  await account.update({ balance: 1_000_000 });
  return account;
}

describe("the score", () => {
  const costs = { critical: 22, warning: 9, info: 2 };
  const pointsOf = (findings: Finding[], category: string): number =>
    findings
      .filter((finding) => finding.category === category)
      .reduce((points, { severity }) => Math.max(0, points - costs[severity]), 100);
  const gradeOf = (score: number) => ["A", "B", "C", "D"].find((_, place) => score >= 90 - 10 * place) ?? "F";

  test("and the grade follow from the findings, for good and bad sites", async () => {
    const account = await rich();
    const grades = new Set<string>();
    for (const url of sites) {
      const { score, grade, findings, lighthouse } = await standard(account, url);
      const parts = Object.keys(lighthouse).map((part) => pointsOf(findings, part));
      expect(Object.values<{ score: number }>(lighthouse).map((part) => part.score)).toEqual(parts);
      const security = pointsOf(findings, "security");
      const sum = [...parts, security, security].reduce((all, points) => all + points);
      expect(score).toBe(Math.round(sum / 6));
      expect(grade).toBe(gradeOf(score));
      grades.add(grade);
    }
    expect(grades.size).toBeGreaterThan(2);
  });

  test("comes with findings ordered by severity", async () => {
    const account = await rich();
    const order = ["critical", "warning", "info"];
    for (const url of sites.slice(0, 8)) {
      const places = (await standard(account, url)).findings.map(({ severity }: Finding) =>
        order.indexOf(severity),
      );
      expect(places).toEqual([...places].sort());
    }
  });
});

describe("the same site", () => {
  const results = ({ score, grade, findings, lighthouse, ai_signals }: Body) => ({
    score,
    grade,
    findings,
    lighthouse,
    ai_signals,
  });

  test("has the same audit on every account, and a different site has a different one", async () => {
    const [one, two, other] = await Promise.all(
      ["https://a.example", "https://a.example", "https://b.example"].map((url) =>
        standard(sandbox.account(), url),
      ),
    );
    expect(results(one)).toEqual(results(two));
    expect(titles(one)).not.toEqual(titles(other));
  });

  test.each([
    "EXAMPLE.com",
    "example.com/",
    "https://example.com:443/",
    "HTTPS://Example.Com",
    "https://example.com/#prices",
    "https://example.com.",
    "  https://example.com  ",
  ])("may be given as %j", async (url) => {
    const account = sandbox.account();
    const body = await standard(account, url);
    expect(body.url).toBe("https://example.com/");
    expect(results(body)).toEqual(results(await standard(account, "https://example.com/")));
  });

  test.each([
    ["http://example.com:8080/path?query", "http://example.com:8080/path?query"],
    ["localhost:3000", "https://localhost:3000/"],
    ["bücher.example", "https://xn--bcher-kva.example/"],
    ["http://[::1]/", "http://[::1]/"],
    ["127.0.0.1:8080", "https://127.0.0.1:8080/"],
  ])("%s is returned as %s", async (url, normalised) => {
    expect((await standard(sandbox.account(), url)).url).toBe(normalised);
  });
});

const activeTitles = fixture.findings.filter(({ when }) => when === "active").map(({ title }) => title);
const isActive = (title: string) => activeTitles.includes(title);

describe("active tests", () => {
  const tested = Array.from({ length: 12 }, (_, number) => `https://shop.example/${number}`);

  test("run once the domain is verified, and produce findings", async () => {
    const account = await rich();
    const passive = await deep(account, tested);
    expect(passive.filter(({ active_tests_run }) => active_tests_run)).toEqual([]);
    expect(passive.flatMap(titles).filter(isActive)).toEqual([]);

    const { id } = await started(account);
    expect((await deep(account, tested.slice(0, 1)))[0].active_tests_run).toBe(false);
    await publish(account, "dns_txt");
    expect((await check(account, id)).body.verified).toBe(true);

    const active = await deep(account, tested);
    expect(active.filter(({ active_tests_run }) => !active_tests_run)).toEqual([]);
    expect(active.flatMap(titles).filter(isActive).length).toBeGreaterThan(0);
    expect(active.map((audit) => titles(audit).filter((title) => !isActive(title)))).toEqual(
      passive.map(titles),
    );
  });

  test("run only on a domain that was proved by hand", async () => {
    const account = await rich();
    const { id } = await started(account);
    await account.records.move(id, "prove");
    const [own, other] = await deep(account, ["https://shop.example", "https://other.example"]);
    expect([own.active_tests_run, other.active_tests_run]).toEqual([true, false]);
  });
});

test("github_repo_url adds findings of the code to a deep audit, and changes no other", async () => {
  const account = await rich();
  const plain = await deep(account, sites.slice(0, 20));
  const reviewed = await deep(account, sites.slice(0, 20), {
    github_repo_url: "https://github.com/shop/site",
  });
  const added = reviewed.map((audit, at) =>
    titles(audit).filter((title) => !titles(plain[at]).includes(title)),
  );
  expect(added.filter((list) => list.length > 0).length).toBeGreaterThan(0);
  expect(reviewed.map((audit, at) => titles(audit).filter((title) => !added[at]?.includes(title)))).toEqual(
    plain.map(titles),
  );
});

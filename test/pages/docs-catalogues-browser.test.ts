import { describe, expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/index.js";
import { type PageOptions, useBrowser } from "../support/browser.js";
import { useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

async function open(path: string, options: PageOptions = {}, url = sandbox.url) {
  const opened = await browser.open(options);
  await opened.page.goto(url + path);
  return opened;
}

const json = async <T>(path: string): Promise<T> => (await (await fetch(sandbox.url + path)).json()) as T;

describe("test values", () => {
  interface Listed {
    operation: string;
    default: string | null;
    outcomes: { name: string; description: string }[];
    test_values: { where: string; value: string; outcome: string; note: string }[];
  }

  const read = `[...document.querySelectorAll(".entry")].map((entry) => {
    const text = (node, query) => node.querySelector(query)?.textContent ?? "";
    const common = [...entry.querySelectorAll(".common code")].map((code) => ({
      name: code.textContent,
      description: document.getElementById(code.textContent).nextElementSibling.textContent,
    }));
    return {
      operation: entry.querySelector("h3").id,
      default: entry.querySelector(".outcomes .tag")?.parentElement.querySelector("code").textContent ?? null,
      outcomes: [...entry.querySelectorAll(".outcomes dt")].map((dt) => ({
        name: text(dt, "code"),
        description: dt.nextElementSibling.textContent,
      })).concat(common),
      test_values: [...entry.querySelectorAll(".values")].flatMap((list) =>
        [...list.querySelectorAll("dt")].map((dt) => ({
          where: list.previousElementSibling.textContent.replace("Test values: ", ""),
          value: text(dt, "code"),
          outcome: text(dt.nextElementSibling, "code"),
          note: dt.nextElementSibling.lastChild.textContent.trim(),
        }))),
    };
  })`;

  const inOrder = ({ outcomes, test_values, ...rest }: Listed) => ({
    ...rest,
    outcomes: outcomes.map(({ name, description }) => `${name}: ${description}`).sort(),
    test_values: test_values.map((row) => [row.where, row.value, row.outcome, row.note].join("|")).sort(),
  });

  test("are exactly those of the control API, for every operation", async () => {
    const { page, complaints } = await open("/docs/values", { javaScript: false });
    const shown = (await page.evaluate(read)) as Listed[];
    const { items } = await json<{ items: Listed[] }>("/_sandbox/outcomes");
    const wanted = items.map(({ operation, default: usual, outcomes, test_values }) => ({
      operation,
      default: usual,
      outcomes,
      test_values,
    }));
    const byName = (one: { operation: string }, other: { operation: string }) =>
      one.operation < other.operation ? -1 : 1;
    expect(shown.map(inOrder).sort(byName)).toEqual(wanted.map(inOrder).sort(byName));
    expect(complaints).toEqual([]);
  });

  test("have an anchor for every operation and section, and no broken links on the page", async () => {
    const { page } = await open("/docs/values");
    const { tags } = await json<{ tags: { name: string }[] }>("/openapi.json");
    const sections = await page.locator("main h2").allInnerTexts();
    for (const { name } of tags) if (name !== "Webhook deliveries") expect(sections).toContain(name);
    expect(
      await page.evaluate(`[...document.querySelectorAll('a[href^="#"]')]
      .filter((a) => !document.getElementById(a.hash.slice(1))).map((a) => a.hash)`),
    ).toEqual([]);
  });

  test("link to their operation in the reference", async () => {
    const { page } = await open("/docs/values", { screen: "desktop" });
    await page.getByRole("link", { name: "Try it out: verifyNin" }).click();
    await page.getByRole("heading", { name: "POST /v1/verify/nin" }).waitFor();
    const back = page.getByRole("link", { name: "How outcomes are chosen" });
    expect(await back.getAttribute("href")).toBe("/docs/values#verifyNin");
  });
});

describe("assumptions", () => {
  interface Row {
    id: string;
    question: string;
    default: string;
    reason: string;
    value: string | null;
    values: string[];
    alternatives: Record<string, string>;
  }

  const read = `[...document.querySelectorAll(".entry")].map((entry) => ({
    id: entry.querySelector("h3").id,
    question: entry.querySelector(".question").textContent,
    default: [...entry.querySelectorAll(".answer :is(p, li)")].map((line) => line.textContent).join("\\n"),
    reason: entry.querySelector(".reason").textContent.replace("Why: ", ""),
    value: entry.querySelector(".choices .tag")?.parentElement.querySelector("code").textContent ?? null,
    values: [...entry.querySelectorAll(".choices dt > code")].map((code) => code.textContent),
    alternatives: Object.fromEntries([...entry.querySelectorAll(".choices dt")].slice(1).map((dt) =>
      [dt.querySelector("code").textContent, dt.nextElementSibling.textContent])),
  }))`;

  const plain = ({ validated: _, ...row }: Row & { validated: unknown }): Row => ({
    ...row,
    question: row.question.replaceAll("`", ""),
    default: row.default.replaceAll("`", ""),
    reason: row.reason.replaceAll("`", ""),
    alternatives: Object.fromEntries(
      Object.entries(row.alternatives).map(([value, meaning]) => [value, meaning.replaceAll("`", "")]),
    ),
  });

  test("are exactly those of the control API, with the values in force", async () => {
    const own = await startSandbox({ assumptions: { "errors.body": "flat" } });
    onTestFinished(() => own.close());
    const { page, complaints } = await open("/docs/assumptions", { javaScript: false }, own.url);
    const shown = (await page.evaluate(read)) as Row[];
    const { items } = (await (await fetch(`${own.url}/_sandbox/assumptions`)).json()) as {
      items: (Row & { validated: unknown })[];
    };
    const byId = (one: Row, other: Row) => (one.id < other.id ? -1 : 1);
    expect(shown.sort(byId)).toEqual(items.map(plain).sort(byId));
    expect(shown.find(({ id }) => id === "errors.body")?.value).toBe("flat");
    expect(await page.getByText("Switched now").innerText()).toContain("errors.body=flat");
    expect(complaints).toEqual([]);
  });
});

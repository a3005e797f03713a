/** docs/architecture.md names the rooms of src, names stand for one thing, and comments are plain English. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = readFileSync("docs/architecture.md", "utf8");
const tree = page.slice(page.indexOf("```\nsrc/"), page.indexOf("```\n", page.indexOf("```\nsrc/") + 4));

const foldersOf = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
const filesOf = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));

test("the tree of the page has the files and folders of src, and only those", () => {
  const named = [...tree.matchAll(/^ {2}([\w-]+(?:\/|\.ts)) /gm)].map(([, name]) => name);
  expect(named.sort()).toEqual([...filesOf("src"), ...foldersOf("src").map((name) => `${name}/`)].sort());
});

test("the tree names the rooms of the world", () => {
  const line = tree.split("\n").find((text) => text.startsWith("  world/")) as string;
  const named = [...line.slice("  world/".length).matchAll(/\b([a-z]+)\//g)].map(([, name]) => name);
  expect(named.sort()).toEqual(foldersOf("src/world").sort());
});

test.each(["docs/architecture.md", "CONTRIBUTING.md"])(
  "every file and folder that %s names exists",
  (name) => {
    const paths = [...readFileSync(name, "utf8").matchAll(/`((?:[\w-]+\/)+[\w-]*(?:\.[\w.]+)?)`/g)];
    const named = paths.map(([, path]) => path as string);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !existsSync(path) && !existsSync(`src/${path}`))).toEqual([]);
  },
);

test("the page states how long a turn of the event loop is", () => {
  const [, ms] = /const maxTurnMs = (\d+)/.exec(readFileSync("src/time/turns.ts", "utf8")) ?? [];
  expect(page).toContain(`turns of the event loop of about ${ms} ms`);
});

/**
 * Names that two files share: public views of the things whose names they have, and schemas that the contract publishes.
 * Components of a browser (.tsx) are named for the things that they show.
 */
const sharedNames = [
  ...["ActivityEntry", "CoverageReport", "HeldChanges", "InboxFilter"],
  ...["IdentityCheck", "operation"],
];

test("no two files of src export different things by one name", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.ts$/.test(name),
  );
  const places = new Map<string, string[]>();
  const declaration = /^export (?:abstract )?(?:async )?(?:interface|type|class|const|function\*?) (\w+)/gm;
  for (const file of files)
    for (const name of new Set(
      [...readFileSync(`src/${file}`, "utf8").matchAll(declaration)].map(([, found]) => found as string),
    ))
      places.set(name, [...(places.get(name) ?? []), file]);
  const shared = [...places].filter(
    ([name, [, other]]) => other !== undefined && !sharedNames.includes(name),
  );
  expect(shared).toEqual([]);
});

/** Habits that make a sentence hard to read: pronouns for what could be named, and inverted or elliptic openings. */
const habits = /\b(?:that of|those of|anew|meanwhile)\b|^(?:So|Of|Told|What|Those|Such|Whoever)\b/i;

test("no comment of src has one of the habits that make sentences hard to read", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const comments = files.flatMap((file) =>
    [...readFileSync(`src/${file}`, "utf8").matchAll(/\/\*\*?([\s\S]*?)\*\/|(?:^|\s)\/\/(.*)$/gm)].map(
      ([, block, line]) => `${file}: ${(block ?? line ?? "").replaceAll(/\s*\n\s*\*\s*/g, " ").trim()}`,
    ),
  );
  expect(comments.length).toBeGreaterThan(4_000);
  expect(comments.filter((comment) => habits.test(comment.slice(comment.indexOf(": ") + 2)))).toEqual([]);
});

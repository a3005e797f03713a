/** Clients with one seeded bug each. With the argument `repaired` they are their repaired twins. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "vitest";
import type { ExamCard } from "../../src/exam/card.js";
import { runProgram, temporaryFolder } from "../support/program.js";
import { skipWithout, type Toolchain } from "../support/toolchains.js";

const folder = join(import.meta.dirname, "clients");

const languages: Readonly<
  Record<string, { extension: string; command: readonly string[]; needs?: Toolchain }>
> = {
  node: { extension: ".mjs", command: ["node"] },
  python: { extension: ".py", command: ["python3"], needs: "python" },
  java: { extension: ".java", command: ["java"], needs: "java" },
};

/** Where the bug of each client shows: what the id of a finding begins with. */
export const bugs: Readonly<Record<string, string>> = {
  "node/payout-twice.mjs": "survived/createPayout",
  "node/refund-twice.mjs": "survived/createRefund",
  "node/counted-twice.mjs": "absorbed/payment.received",
  "node/forgets-soon.mjs": "absorbed/payment.received/retried",
  "node/webhook-first.mjs": "absorbed/createPayout",
  "node/forged-crash.mjs": "absorbed/payout.requested",
  "node/read-gives-up.mjs": "absorbed/getBalance",
  "node/retry-at-once.mjs": "survived/verifyBvn",
  "node/strict-fields.mjs": "absorbed/getBalance",
  "node/field-order.mjs": "absorbed/getBalance",
  "node/hangs.mjs": "survived/verifyNin",
  "node/money-unchecked.mjs": "noticed/createPayout",
  "node/verdict-unchecked.mjs": "noticed/checkPhoneVerification",
  "node/sleeps.mjs": "absorbed/payout.requested",
  "node/overtaken.mjs": "absorbed/payout.requested",
  "node/impatient.mjs": "absorbed/getBalance",
  "node/polls-for-ever.mjs": "survived/createPayout",
  "python/payout_twice.py": "survived/createPayout",
  "python/read_gives_up.py": "absorbed/getBalance",
  "python/verdict_unchecked.py": "noticed/verifyBvn",
  "python/retry_at_once.py": "survived/verifyNin",
  "python/strict_fields.py": "absorbed/getBalance",
  "java/FieldOrder.java": "absorbed/getBalance",
};

/** Skips the test with the reason if the client's language cannot be used here. */
export function skipWithoutLanguage(client: string, skip: TestContext["skip"]): void {
  const { needs } = languages[client.split("/")[0] ?? ""] ?? {};
  if (needs) skipWithout(needs, skip);
}

/** Client files, apart from what they share. */
export const clientFiles = (): string[] =>
  Object.entries(languages).flatMap(([language, { extension }]) =>
    readdirSync(join(folder, language))
      .filter((name) => name.endsWith(extension) && !name.startsWith("kit."))
      .map((name) => `${language}/${name}`),
  );

export const commandOf = (client: string, ...args: string[]): string[] => {
  const [language = ""] = client.split("/");
  return [...(languages[language]?.command ?? []), join(folder, client), ...args];
};

/**
 * A command that evaluates code with `get(path)` and `post(path, body)`. It ends with the code: a receiver's open connections
 * would keep it for seconds. It asks by `node:http`, since a process in which `fetch` is used first takes three times as long,
 * and an exam starts many.
 */
export const client = (code: string): string[] => [
  "node",
  "--input-type=module",
  "--eval",
  `import { request } from "node:http";
   const { SERVICE_BASE_URL: base, SERVICE_KEY: key } = process.env;
   const askAs = (own, method, path, body) => new Promise((resolve, reject) => {
     const headers = { "X-Service-Key": own, "Content-Type": "application/json" };
     const asked = request(base + path, { method, headers }, async (response) => {
       try { resolve(JSON.parse(Buffer.concat(await response.toArray()))); } catch (error) { reject(error); }
     });
     asked.on("error", reject).end(body && JSON.stringify(body));
   });
   const get = (path) => askAs(key, "GET", path), post = (path, body) => askAs(key, "POST", path, body);
   ${code}
   process.exit();`,
];

/** Examines a command, and returns its report card with the exit code. */
export async function examine(
  command: readonly string[],
  flags: readonly string[] = [],
  cwd = temporaryFolder(),
) {
  const file = join(cwd, "card.json");
  const { code, stdout, stderr } = await runProgram(
    ["exam", "--card", file, ...flags, "--", ...command],
    cwd,
  );
  if (code === 2) throw new Error(stderr);
  const card = JSON.parse(readFileSync(file, "utf8")) as ExamCard;
  return { code, card, stdout, stderr, cwd };
}

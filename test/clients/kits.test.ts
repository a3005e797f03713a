/** clients/behaviour.yaml, played with the control kit of each language that is installed. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type Sandbox, startSandbox } from "../../src/index.js";
import { differences } from "../../src/rules/matching.js";
import { compile } from "../../src/rules/patterns.js";
import { resolveReferences } from "../../src/scenarios/references.js";
import { temporaryFolder } from "../support/program.js";
import { type Receiver, startReceiver } from "../support/receiver.js";
import {
  complaintOf,
  javac,
  mcs,
  reasonToSkip,
  runtimes,
  skipWithout,
  type Toolchain,
} from "../support/toolchains.js";

const clients = join(import.meta.dirname, "../../clients");

type Step = { as?: string; expect?: unknown } & (
  | { call: string; with?: object; error?: object }
  | { http: string; body?: object }
);
interface Behaviour {
  behaviour: string;
  steps: Step[];
}
const behaviours = parse(readFileSync(join(clients, "behaviour.yaml"), "utf8")) as Behaviour[];

interface Kit {
  language: string;
  needs: Toolchain;
  /** Command that builds the program that plays, into a folder. */
  build?: (folder: string) => string[];
  play: (folder: string) => string[];
}

const kits: Kit[] = [
  { language: "python", needs: "python", play: () => ["python3", "-B", "play.py"] },
  { language: "php", needs: "php", play: () => ["php", "play.php"] },
  {
    language: "java",
    needs: "java",
    build: (folder) => [...javac, "-d", folder, "Standin.java", "Play.java"],
    play: (folder) => ["java", "-cp", folder, "Play"],
  },
  {
    language: "go",
    needs: "go",
    build: (folder) => ["go", "build", "-o", join(folder, "play"), "./play"],
    play: (folder) => [join(folder, "play")],
  },
  {
    language: "csharp",
    needs: "csharp",
    build: (folder) => [...mcs, `-out:${join(folder, "play.exe")}`, "Standin.cs", "Play.cs"],
    play: (folder) => ["mono", join(folder, "play.exe")],
  },
];

let sandbox: Sandbox;
let receiver: Receiver;
beforeAll(async () => {
  sandbox = await startSandbox();
  receiver = await startReceiver((_count, response) => response.writeHead(204).end());
});
afterAll(async () => {
  await receiver.close();
  await sandbox.close();
});

/** Sends calls to the program of a kit, one at a time. */
class Player {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(kit: Kit, folder: string) {
    const [program = "", ...args] = kit.play(folder);
    this.#child = spawn(program, args, {
      cwd: join(clients, kit.language),
      env: { ...process.env, ...runtimes, STANDIN_URL: sandbox.url },
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#lines = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream })[
      Symbol.asyncIterator
    ]();
  }

  async ask(call: string, given: unknown): Promise<{ result?: unknown; error?: unknown }> {
    this.#child.stdin?.write(`${JSON.stringify({ call, with: given })}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`the kit ended at ${call}`);
    return JSON.parse(value);
  }

  end(): void {
    this.#child.stdin?.end();
  }
}

async function send(key: string, route: string, body: object | undefined): Promise<unknown> {
  const [method = "", path] = route.split(" ");
  const reply = await fetch(sandbox.url + path, {
    method,
    headers: { "X-Service-Key": key, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: await reply.json() };
}

function expectMatch(actual: unknown, expected: unknown, what: string): void {
  const [first] = differences(actual, compile(expected));
  expect(first, `${what} gave ${JSON.stringify(actual)}`).toBeUndefined();
}

async function play(player: Player, steps: readonly Step[]): Promise<void> {
  const scope: Record<string, unknown> = { receiver: receiver.url };
  let key = "";
  for (const written of steps) {
    const step = resolveReferences(written, scope) as Step;
    if ("http" in step) {
      const reply = await send(key, step.http, step.body);
      expectMatch(reply, step.expect ?? { status: "/2\\d\\d|429/" }, step.http);
      if (step.as) scope[step.as] = reply;
      continue;
    }
    const { result, error } = await player.ask(step.call, step.with ?? {});
    if (step.error) expectMatch(error, step.error, step.call);
    else expect(error, step.call).toBeUndefined();
    if (step.expect !== undefined) expectMatch(result, step.expect, step.call);
    if (step.call === "account") key = (result as { key: string }).key;
    if (step.as) scope[step.as] = result;
  }
}

test("a compiler that lacks a library of its kit counts as missing: its tests are skipped with what it complains of", () => {
  const bin = temporaryFolder();
  const complaint = "error CS0006: Metadata file `System.Net.Http.dll' could not be found";
  const script = `#!/bin/sh\n[ "$1" = --version ] || { echo "${complaint}" >&2; exit 1; }\n`;
  writeFileSync(join(bin, "mcs"), script.replace("`", "\\`"), { mode: 0o755 });
  expect(spawnSync(join(bin, "mcs"), ["--version"]).status).toBe(0);
  const path = `${bin}:${process.env.PATH}`;
  expect(complaintOf("csharp", path)).toBe(`csharp cannot be used here: mcs Probe.cs: ${complaint}`);
});

describe.each(kits)("the kit for $language", (kit) => {
  const folder = temporaryFolder();
  let player: Player;
  beforeAll(() => {
    if (reasonToSkip(kit.needs)) return;
    const [program = "", ...args] = kit.build?.(folder) ?? ["true"];
    const built = spawnSync(program, args, { cwd: join(clients, kit.language), encoding: "utf8" });
    expect(built.stderr + built.stdout, `${program} ${args.join(" ")}`).toBe("");
    player = new Player(kit, folder);
  }, 120_000);
  afterAll(() => player?.end());

  test.for(behaviours)("$behaviour", async ({ steps }, { skip }) => {
    skipWithout(kit.needs, skip);
    await play(player, steps);
  });
});

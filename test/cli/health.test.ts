import { describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../support/port.js";
import { runProgram } from "../support/program.js";
import { startReceiver } from "../support/receiver.js";
import { runHere } from "./run-here.js";
import { useProgram } from "./use-program.js";

const program = useProgram();
const health = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runHere(["health", ...args], undefined, env);

describe("standin health", () => {
  test("exits with 0 when the sandbox answers, found by --url, STANDIN_URL, STANDIN_PORT or PORT", async () => {
    const { port } = new URL(program.url);
    const answers = { code: 0, stdout: `The sandbox at ${program.url} answers.\n`, stderr: "" };
    expect(await runProgram(["health", "--url", program.url])).toEqual(answers);
    expect(await health([], { STANDIN_URL: program.url })).toEqual(answers);
    expect(await health([], { STANDIN_PORT: port, STANDIN_HOST: "0.0.0.0" })).toEqual(answers);
    expect(await health([], { PORT: port })).toEqual(answers);
  });

  test("exits with 1 when nothing answers, or too late", async () => {
    const port = String(await freePort());
    const none = await health([], { STANDIN_PORT: port });
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("ECONNREFUSED")]);
    // A name with several addresses, whose error has no message.
    const url = `http://localhost:${port}`;
    const nowhere = await health(["--url", url]);
    expect(nowhere.stderr).toBe(`standin: the sandbox at ${url} does not answer: ECONNREFUSED\n`);
    const silent = await startReceiver(() => {});
    onTestFinished(() => silent.close());
    const late = await health(["--url", silent.url, "--timeout", "50ms"]);
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining("no answer in time")]);
  });

  test("exits with 1 when something else answers", async () => {
    const other = await startReceiver((_count, response) => response.end("{}"));
    onTestFinished(() => other.close());
    const { code, stderr } = await health(["--url", other.url]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("is not a sandbox")]);
  });
});

/** The conformance tests of the Model Context Protocol, on the tools of a running sandbox. They need Node 22. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../dist/standin.cjs", import.meta.url));
const conformance = fileURLToPath(
  new URL("node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);
const skip = Number(process.versions.node.split(".")[0]) < 22 && "the conformance tests need Node 22";

let sandbox;
let url = "";
before(async () => {
  sandbox = spawn(process.execPath, [program, "start", "--port", "0", "--memory", "--json"]);
  const [line] = await once(sandbox.stdout.setEncoding("utf8"), "data");
  url = JSON.parse(line).url.replace("127.0.0.1", "localhost");
});
after(() => sandbox.kill());

/** Those that ask for tools alone. The others call tools, prompts and resources that only a server for tests has. */
for (const scenario of ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"])
  test(`MCP conformance: ${scenario}`, { skip }, () => {
    const args = [conformance, "server", "--url", `${url}/mcp`, "--scenario", scenario];
    const told = execFileSync(process.execPath, args, { encoding: "utf8" });
    assert.match(told, /Passed: (\d+)\/\1, 0 failed, 0 warnings/);
  });

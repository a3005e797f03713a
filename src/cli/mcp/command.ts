/** `standin mcp`: a Model Context Protocol server on stdio, for coding agents. */
import type { Command } from "commander";
import { SandboxAccount } from "../../client/account/account.js";
import { topCommand } from "../command-list.js";
import { adminTokenOption, baseUrlOf } from "../connection.js";
import { type FlagsOf, flagTable, withFlags } from "../flags.js";
import { keyOf, startTemporarySandbox } from "../temporary-sandbox.js";

const notes = `Configuration of an agent, such as .mcp.json:
  {"mcpServers": {"standin": {"command": "npx", "args": ["--no-install", "standin", "mcp"]}}}
A running sandbox serves the same tools over HTTP, at /mcp.`;

const options = flagTable(null, [
  ["--url <url>", "URL of a running sandbox (default: a new one in memory, which ends with the session)"],
  ["--key <key>", "API key of the account (default: a new random one per session)"],
  adminTokenOption,
]);

export const mcpCommand = (): Command =>
  withFlags(
    topCommand("mcp", ["standin mcp", "standin mcp --url http://127.0.0.1:4010"], notes),
    options,
  ).action(serve);

async function serve({ url, adminToken, ...flags }: FlagsOf<typeof options>): Promise<void> {
  const key = keyOf(flags);
  const own = url === undefined ? await startTemporarySandbox({ flags: {}, config: {}, key }) : null;
  const account = new SandboxAccount({
    baseUrl: own ? own.api.baseUrl : baseUrlOf(url),
    key,
    adminToken: own ? null : (adminToken ?? (process.env.STANDIN_ADMIN_TOKEN || null)),
  });
  try {
    const [{ createServer }, { serveStdio }] = await Promise.all([import("./server.js"), import("./sdk.js")]);
    const serving = serveStdio(() => createServer({ account, readsFiles: true }));
    await new Promise<void>((resolve) => process.stdin.once("close", resolve));
    await serving.close();
  } finally {
    await own?.close();
  }
}

/** The Model Context Protocol server: lists the tools, and runs them on the account of the session. */
import type { CallToolResult, Tool as ListedTool, Server } from "@modelcontextprotocol/server";
import { NoSandbox } from "../../client/client.js";
import { formatNearest } from "../../contract/nearest.js";
import { compileValidator, detailsOf } from "../../contract/validate.js";
import { version } from "../../sandbox.js";
import {
  activityTool,
  advanceTool,
  callTool,
  checkReceiverTool,
  explainTool,
  findOperationTool,
  type McpSession,
  scenarioTool,
  setRulesTool,
  statusTool,
  type Tool,
  ToolError,
  waitForTool,
} from "./tools.js";

const tools: readonly Tool[] = [
  statusTool,
  findOperationTool,
  callTool,
  waitForTool,
  activityTool,
  explainTool,
  setRulesTool,
  advanceTool,
  scenarioTool,
  checkReceiverTool,
];

const instructions = `Standin stands in for a verification, messaging, payments and tools service. This session has its own account, with its own state, clock and money; nothing is real. Begin with status, whose variables configure the code under test. Its clock follows real time until advance moves it. Ask explain when a result surprises you.`;

/** Creates a server of the tools. It speaks the revision 2026-07-28 of the protocol and the earlier ones. */
export async function createServer(session: McpSession): Promise<Server> {
  const { Server } = await import("./sdk.js");
  const server = new Server({ name: "standin", version }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler("tools/list", () => ({
    tools: tools.map(({ name, description, input }) => ({ name, description, inputSchema: schemaOf(input) })),
  }));
  server.setRequestHandler("tools/call", ({ params }) =>
    runTool(session, params.name, params.arguments ?? {}),
  );
  return server;
}

/** Schemas are sent as plain JSON. */
const schemaOf = (input: Tool["input"]) => JSON.parse(JSON.stringify(input)) as ListedTool["inputSchema"];

async function runTool(
  session: McpSession,
  name: string,
  input: Record<string, unknown>,
): Promise<CallToolResult> {
  const tool = tools.find((candidate) => candidate.name === name);
  try {
    if (!tool)
      throw new ToolError(
        `There is no tool ${name}${formatNearest(
          name,
          tools.map((known) => known.name),
        )}.`,
      );
    const validate = await compileValidator(tool.input);
    const problems = [
      ...unknownArguments(tool, input),
      ...(validate(input) ? [] : detailsOf(validate).map(({ message }) => message)),
    ];
    if (problems.length > 0) throw new ToolError(`${problems.join(" ")} Correct the arguments of ${name}.`);
    return toResult(await tool.run(session, input as never));
  } catch (error) {
    return { ...toResult(adviceOn(error as Error, tool?.afterError)), isError: true };
  }
}

/**
 * Returns a sentence for each argument that the tool does not have, with the arguments that it has: an agent would not notice an
 * ignored argument.
 */
function unknownArguments({ input: { properties } }: Tool, given: Record<string, unknown>): string[] {
  const known = Object.keys(properties);
  const has = known.length === 0 ? "it takes none" : `it has ${known.join(", ")}`;
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => `${name} is not an argument: ${has}${formatNearest(name, known)}.`);
}

const toResult = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });

function adviceOn(error: Error, afterError: string | undefined): string {
  if (error instanceof NoSandbox)
    return `${error.message} Next: start one with standin start, or run standin mcp without --url, which brings its own.`;
  if (error instanceof ToolError || afterError === undefined) return error.message;
  return `${error.message}\nNext: ${afterError}`;
}

/** The parts of the Model Context Protocol's SDK that the server uses, in a file that no other command loads. */
export { createMcpHandler, Server } from "@modelcontextprotocol/server";
export { serveStdio } from "@modelcontextprotocol/server/stdio";

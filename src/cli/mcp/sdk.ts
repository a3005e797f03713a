/** The parts of the SDK of the Model Context Protocol that the server uses: a file of their own, which no other command loads. */
export { createMcpHandler, Server } from "@modelcontextprotocol/server";
export { serveStdio } from "@modelcontextprotocol/server/stdio";

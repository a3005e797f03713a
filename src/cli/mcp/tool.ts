/** Tools of the MCP server: a name, what it does, its input, and the text that it answers with. */
import type { Static, TObject } from "typebox";
import type { SandboxAccount } from "../../client/account/account.js";

/** Session of an agent, on which its tools work. */
export interface McpSession {
  readonly account: SandboxAccount;
  /** Whether the agent runs on this machine, so that it may name files of it. */
  readonly readsFiles: boolean;
}

/** A mistake in the arguments. The message says what to do instead. */
export class ToolError extends Error {}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: TObject;
  /** Advice after an error of the sandbox or the receiver. */
  readonly afterError?: string;
  run(session: McpSession, input: never): Promise<string>;
}

/** Declares a tool whose arguments have the type of its schema. */
export const tool = <const Input extends TObject>(declared: {
  name: string;
  description: string;
  input: Input;
  afterError?: string;
  run(session: McpSession, input: Static<Input>): Promise<string>;
}): Tool => declared as Tool;

/** Formats a value for the agent, without the spaces that would cost tokens. */
export const toText = (value: unknown): string => JSON.stringify(value);

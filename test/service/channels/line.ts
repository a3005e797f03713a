/** A channel under test: actions of its owner and of people in the messaging app. */
import { expect } from "vitest";
import type { InboxMessage, SandboxAccount } from "../../../src/index.js";
import { call, type Reply } from "../../support/sandbox.js";

export const person = "2348031234567";
export const channelsPath = "/v1/wa/channels";

/** Returns 2348040000001, 2348040000002 …, as many people as a cap needs. */
export const somebody = (index: number): string => `23480400${String(index).padStart(5, "0")}`;

export class Line {
  constructor(
    readonly account: SandboxAccount,
    readonly id: string,
  ) {}

  /** Calls a path below the channel. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply> {
    return call(this.account, method, `${channelsPath}/${this.id}${path}`, body, headers);
  }

  connect(): Promise<Reply> {
    return this.ask("POST", "/connect");
  }

  send(body: object, headers?: Record<string, string>): Promise<Reply> {
    return this.ask("POST", "/send", { to: person, ...body }, headers);
  }

  sendCode(body: object = {}, headers?: Record<string, string>): Promise<Reply> {
    return this.ask("POST", "/otp", { to: person, ...body }, headers);
  }

  /** Sends a code and returns it as the person reads it. */
  async code(body: object = {}): Promise<{ id: string; code: string; wrong: string }> {
    const { status, body: sent } = await this.sendCode(body);
    expect(status).toBe(201);
    const { codes } = await this.last(sent.to);
    const code = codes[0] as string;
    const wrong = code.replace(/^./, (digit) => (digit === "1" ? "2" : "1"));
    return { id: sent.id, code, wrong };
  }

  /** Checks a code and returns the reply. */
  async check(code: string, to = person): Promise<Reply["body"]> {
    const { status, body } = await this.ask("POST", "/otp/verify", { to, code });
    expect(status).toBe(200);
    return body;
  }

  askIdentity(body: object = {}, headers?: Record<string, string>): Promise<Reply> {
    const right = { to: person, question: "What is your mother's first name?", expected: "Ngozi" };
    return this.ask("POST", "/verify-identity", { ...right, ...body }, headers);
  }

  /** Asks a question and returns its id. */
  async question(body: object = {}): Promise<string> {
    const reply = await this.askIdentity(body);
    expect(reply.status).toBe(201);
    return reply.body.id;
  }

  async result(id: string): Promise<Reply["body"]> {
    const { status, body } = await this.ask("GET", `/verify-identity/${id}`);
    expect(status).toBe(200);
    return body;
  }

  /** Sends a message as the person. */
  hears(text: string, from = person): Promise<InboxMessage> {
    return this.account.inbox.reply({ channel_id: this.id, from, text });
  }

  /** Returns the newest message to the person. */
  async last(to = person): Promise<InboxMessage> {
    const [message] = await this.account.inbox.list({ to, channel: "chat" });
    return message as InboxMessage;
  }

  move(id: string, move: string, input?: Record<string, unknown>) {
    return this.account.records.move(id, move, input);
  }

  async state(): Promise<string> {
    return (await this.account.records.get(this.id)).state;
  }
}

/** Returns the channel that a new account has. */
export async function mainLine(account: SandboxAccount): Promise<Line> {
  const { body } = await call(account, "GET", channelsPath);
  expect(body).toHaveLength(1);
  return new Line(account, body[0].id);
}

export async function newLine(account: SandboxAccount, label = "Support"): Promise<Line> {
  const { status, body } = await call(account, "POST", channelsPath, { label });
  expect(status).toBe(201);
  return new Line(account, body.id);
}

/** Returns the status and code of a refusal. */
export const refusal = ({ status, body }: Reply): string => `${status} ${body.error.code}`;

export const outcome = (name: string): Record<string, string> => ({ "X-Sandbox-Outcome": name });

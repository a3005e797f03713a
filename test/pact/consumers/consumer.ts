/** Shared by the example consumers: one pact per consumer, interactions as data, and upload forms. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MatchersV3, PactV4, type V3MockServer } from "@pact-foundation/pact";
import { afterAll, expect, test } from "vitest";
import { temporaryFolder } from "../../support/program.js";

process.env.PACT_DO_NOT_TRACK = "true";
const { datetime, fromProviderState, regex, string } = MatchersV3;

export const provider = "service";
const committed = join(import.meta.dirname, "../../../contracts/pacts");

/** Any key works: the verification gives each interaction its own account. */
export const key = "svc_test_placeholder";

const missedRequest = "The following request was expected but not received";
const maxAttempts = 3;

export class Consumer {
  readonly pact: PactV4;
  readonly #folder = temporaryFolder();

  constructor(readonly name: string) {
    afterAll(() => rmSync(this.#folder, { recursive: true, force: true }));
    this.pact = new PactV4({ consumer: name, provider, dir: this.#folder, logLevel: "error" });
  }

  /** Compares the pact with the committed file. Call after the consumer's tests. */
  testCommitted(): void {
    const file = `${this.name}-${provider}.json`;
    test(`contracts/pacts/${file} is what these tests write (vitest -u updates it)`, async () => {
      const text = readFileSync(join(this.#folder, file), "utf8");
      await expect(text).toMatchFileSnapshot(join(committed, file));
    });
  }

  /**
   * Runs the client against the expected answer. Pact 16.3 to 16.5 may miss a request that it has just answered
   * (pact-reference issue 535); then the client runs again.
   */
  async play<T>(call: Call, act: (server: V3MockServer) => Promise<T>): Promise<T | undefined> {
    for (let attempt = 1; ; attempt++) {
      let isAnswered = false;
      try {
        return await this.#calling(call).executeTest(async (server) => {
          const result = await act(server);
          isAnswered = true;
          return result;
        });
      } catch (error) {
        if (!isAnswered || attempt === maxAttempts || !String(error).includes(missedRequest)) throw error;
      }
    }
  }

  #calling({ description, given = [], request, reply }: Call) {
    const added = this.pact.addInteraction();
    for (const [state, params] of given) params ? added.given(state, params) : added.given(state);
    const { method, path, query, headers = { "X-Service-Key": key }, body, form } = request;
    return added
      .uponReceiving(description)
      .withRequest(method, path, (built) => {
        if (query) built.query(query);
        built.headers(form ? { ...headers, "Content-Type": formType } : headers);
        if (form) built.body(formType, form);
        else if (body !== undefined) built.jsonBody(body);
      })
      .willRespondWith(reply.status, (built) => {
        if (reply.file) built.headers({ "Content-Type": reply.file.type });
        if (reply.file?.example) built.binaryFile(reply.file.type, reply.file.example);
        if (reply.body !== undefined) built.jsonBody(reply.body);
      });
  }

  /** Adds a webhook. Only the form of the signature is compared. */
  hearing(event: string, data: object, ...given: readonly State[]) {
    const added = this.pact.addAsynchronousInteraction();
    for (const [state, params] of given) params ? added.given(state, params) : added.given(state);
    return added.expectsToReceive(`a ${event} event`, (built) => {
      built
        .withMetadata({ contentType: "application/json", "X-Service-Signature": signature })
        .withJSONContent({ event, created_at: timestamp, data });
    });
  }
}

type Parts = Parameters<ReturnType<PactV4["addInteraction"]>["withRequest"]>;
type Headers = Record<string, string>;
export type State = readonly [name: string, params?: Record<string, string | number>];

export interface Call {
  description: string;
  given?: readonly State[];
  request: {
    method: Parts[0];
    path: Parts[1];
    query?: Headers;
    headers?: Headers;
    body?: unknown;
    form?: Buffer;
  };
  /** `example` is the path of a file of that type. */
  reply: { status: number; body?: unknown; file?: { type: string; example?: string } };
}

/** Takes a value from the provider state; the example is for the consumer's own test. */
export const fromState = (name: string, example: string) => fromProviderState(`\${${name}}`, example);

/** Takes the parameters of a path from the provider state. Examples are in the order of the parameters. */
export function pathFromState(path: string, ...examples: readonly string[]) {
  const rest = [...examples];
  const example = path.replaceAll(/\{\w+\}/g, () => rest.shift() ?? "");
  return fromProviderState(path.replaceAll("{", `\${`), example);
}

export const idLike = (prefix: string) => regex(`${prefix}\\S+`, `${prefix}0123456789abcdefghij`);
export const timestamp = datetime("yyyy-MM-dd'T'HH:mm:ss.SSSX", "2026-01-31T12:00:00.000Z");
const signature = regex("[0-9a-f]{64}", "0123456789abcdef".repeat(4));

/** Returns the body of a refusal, with any message. */
export const refusal = (code: string, type: string) => ({
  error: { type, code, message: string("Why, in a sentence.") },
});

const boundary = "a-form-of-the-consumer";
export const formType = `multipart/form-data; boundary=${boundary}`;

interface Upload {
  field: string;
  filename: string;
  contentType: string;
}

const files = join(import.meta.dirname, "../../../fixtures/files");
export const fileFor = (name: string): string => join(files, name);

/** Returns a form with files of fixtures/files, always with the same bytes. */
export function formOf(...uploads: readonly Upload[]): Buffer {
  const parts = uploads.flatMap(({ field, filename, contentType }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${filename}"\r\n`,
    `Content-Type: ${contentType}\r\n\r\n`,
    readFileSync(fileFor(filename)),
    "\r\n",
  ]);
  return Buffer.concat([...parts, `--${boundary}--\r\n`].map((part) => Buffer.from(part as string)));
}

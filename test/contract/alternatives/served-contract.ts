/** The contract that a running sandbox serves, with assertions that replies conform to it. */
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeAll, expect } from "vitest";
import { type AnyOperation, methodOf, pathOf } from "../../../src/contract/operation.js";
import type { SandboxAccount } from "../../../src/index.js";
import { oncePer } from "../../support/once-per.js";
import type { Reply } from "../../support/sandbox.js";

// biome-ignore lint/suspicious/noExplicitAny: the assertions check the document
type Node = any;

const escaped = (part: string): string => part.replaceAll("~", "~0").replaceAll("/", "~1");

/** Reads a contract. Most sandboxes serve the same one, whose schemas are then compiled once. */
const readContract = oncePer((text: string) => new ServedContract(JSON.parse(text)));

export class ServedContract {
  readonly #ajv = new Ajv2020({ strict: false, validateSchema: false });

  constructor(readonly document: Node) {
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(document, "contract");
  }

  /** Returns the contract that the account's sandbox serves. */
  static async of(account: SandboxAccount): Promise<ServedContract> {
    return readContract(await (await account.fetch("/openapi.json")).text());
  }

  /** Returns the operation's entry in the contract. */
  entry(operation: AnyOperation): Node {
    return this.document.paths[pathOf(operation)][methodOf(operation).toLowerCase()];
  }

  statuses(operation: AnyOperation): number[] {
    return Object.keys(this.entry(operation).responses).map(Number);
  }

  /** Returns the error codes with this status. */
  codes(operation: AnyOperation, status: number): string[] {
    const response = this.follow(this.#at(this.#response(operation, status)));
    const [content] = Object.values<Node>(response.content);
    return Object.keys(content.examples);
  }

  /** Returns the node, or the one that it references. */
  follow(node: Node): Node {
    return node?.$ref ? this.#at(node.$ref.slice(1)) : node;
  }

  /** Expects the contract to have the reply's status and media type, and its body to match the schema. */
  expectDescribes(operation: AnyOperation, { status, headers, body }: Reply): void {
    const at = this.#response(operation, status);
    const response = this.follow(this.#at(at));
    expect(response, `${operation.id} has no ${status}`).toBeDefined();
    const mediaType = headers.get("content-type")?.split(";")[0] as string;
    expect(Object.keys(response.content)).toEqual([mediaType]);
    const pointer = response === this.#at(at) ? at : this.#at(at).$ref.slice(1);
    this.expectFits(`${pointer}/content/${escaped(mediaType)}/schema`, body);
  }

  /** Expects a value to match the schema at this JSON pointer. */
  expectFits(pointer: string, value: unknown): void {
    const validate = this.#ajv.getSchema(`contract#${encodeURI(pointer)}`);
    expect(validate, pointer).toBeDefined();
    expect(validate?.(value), `${pointer}: ${JSON.stringify(validate?.errors)}`).toBe(true);
  }

  #response(operation: AnyOperation, status: number): string {
    return `/paths/${escaped(pathOf(operation))}/${methodOf(operation).toLowerCase()}/responses/${status}`;
  }

  #at(pointer: string): Node {
    const parts = pointer.slice(1).split("/");
    const plain = parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    return plain.reduce((node, part) => node?.[part], this.document);
  }
}

/** Loads the contract of a sandbox before the tests of a file. */
export function useContract(sandbox: { account(): SandboxAccount }): () => ServedContract {
  let contract: ServedContract;
  beforeAll(async () => {
    contract = await ServedContract.of(sandbox.account());
  });
  return () => contract;
}

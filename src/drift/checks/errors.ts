/** Checks of refusals: every one that a test key can cause without harm, played on both sides. */
import type { AnyOperation } from "../../contract/operation.js";
import { testKeyOperations } from "../allowed-operations.js";
import { groupOf, groups } from "../groups.js";
import { operationNamed, type ServiceRequest } from "../service-client.js";
import type { DriftCheck } from "./check.js";
import { brokenFile, fileHeads, pixelFile } from "./file-heads.js";
import { firstValues, validRequest } from "./records.js";
import { refusalFacts } from "./refusal-facts.js";
import { refusedByState } from "./refused-by-state.js";
import type { WrongRequest } from "./wrong-request.js";

const toCheck = ({ operation: id, how, about, more = 0, slow, request }: WrongRequest): DriftCheck => ({
  id: `error.${id}.${how}`,
  kind: "error",
  group: groupOf(operationNamed(id)),
  about: `a request with ${about}`,
  operations: [id],
  calls: 1 + more,
  slow,
  observe: async (side) => refusalFacts(await side.service.call(id, await request(side))),
});

interface Field {
  readonly pattern?: string;
  readonly minimum?: number;
  readonly "x-error"?: string;
}

/** Returns a text that the field does not take. */
function invalidFor({ pattern, minimum }: Field): string {
  if (minimum !== undefined) return `${minimum - 1}`;
  return pattern === "\\S" ? " " : "!";
}

const fieldsIn = (schema: AnyOperation["body"]) =>
  Object.entries((schema?.properties ?? {}) as Record<string, Field>);

/** Returns the first operation of each group that fits: what holds for all operations is asked there. */
const onePerGroup = (fits: (operation: AnyOperation) => boolean): ReadonlySet<string> =>
  new Set(
    groups.flatMap((group) => testKeyOperations.find((one) => groupOf(one) === group && fits(one))?.id ?? []),
  );

const hasJson = ({ body, upload }: AnyOperation): boolean => body !== undefined && !upload;
const withJson = onePerGroup(hasJson);
const first = onePerGroup(() => true);

/** Returns the requests of an operation that are wrong in themselves, whatever the account has. */
function wrongRequests(operation: AnyOperation): WrongRequest[] {
  const { id, body, upload, query } = operation;
  const wrong: WrongRequest[] = [];
  const add = (how: string, about: string, change: (valid: ServiceRequest) => ServiceRequest, slow = false) =>
    void wrong.push({
      operation: id,
      how,
      about,
      slow,
      request: async (side) => change(await validRequest(side, id)),
    });
  if (upload) add("no_file", "no file", (valid) => ({ ...valid, files: {} }));
  else if (requiredIn(body).length > 0) add("no_fields", "no field", (valid) => ({ ...valid, body: {} }));
  if (requiredIn(query).length > 0) add("no_query", "no query", (valid) => ({ ...valid, query: {} }));
  const [wronglyTyped] = hasJson(operation) ? requiredIn(body) : [];
  if (wronglyTyped !== undefined)
    add("wrong_type", `a list as ${wronglyTyped}`, (valid) => ({
      ...valid,
      body: { ...valid.body, [wronglyTyped]: [] },
    }));
  for (const [name, field] of hasJson(operation) ? fieldsIn(body) : [])
    if (field.pattern !== undefined && field["x-error"] !== undefined)
      add(`invalid_${name}`, `an invalid ${name}`, (valid) => ({
        ...valid,
        body: { ...valid.body, [name]: invalidFor(field) },
      }));
  for (const [name, field] of fieldsIn(query))
    add(`invalid_${name}`, `an invalid ${name}`, (valid) => ({
      ...valid,
      query: { ...valid.query, [name]: invalidFor(field) },
    }));
  for (const [field, { types = [] }] of Object.entries(upload ?? {}).slice(0, 1)) {
    const texts = operation.body ? firstValues(operation) : {};
    const type = types.find((one) => Object.hasOwn(fileHeads, one));
    const file = type === undefined ? null : brokenFile(type);
    const whole = types.includes("image/png") ? pixelFile() : file;
    if (file && operation.refuses.includes("file_unreadable"))
      add("unreadable", "a broken file", (valid) => ({ ...valid, body: texts, files: { [field]: file } }));
    if (file)
      add("unknown_file", "a file in an unknown field", (valid) => ({
        ...valid,
        body: texts,
        files: { standin_drift: file },
      }));
    if (file)
      add("two_files", "two files in one field", (valid) => ({
        ...valid,
        body: texts,
        files: { [field]: [whole ?? file, whole ?? file] },
      }));
    add("text_for_file", "a text in place of the file", (valid) => ({
      ...valid,
      body: { ...texts, [field]: "drift" },
      files: {},
    }));
    add("wrong_file", "a file of another type", (valid) => ({
      ...valid,
      body: texts,
      files: { [field]: new File(["standin drift"], "standin-drift.txt", { type: "text/plain" }) },
    }));
  }
  if (hasJson(operation)) {
    const isSlow = !withJson.has(id);
    add(
      "malformed",
      "a body that is not JSON",
      ({ body: _, ...valid }) => ({ ...valid, rawBody: "{" }),
      isSlow,
    );
    add(
      "media_type",
      "a body of another content type",
      ({ body: _, ...valid }) => ({ ...valid, rawBody: "a=1", headers: { "Content-Type": "text/plain" } }),
      isSlow,
    );
  }
  add("no_key", "no API key", (valid) => ({ ...valid, key: null }));
  add("invalid_key", "an invalid API key", (valid) => ({ ...valid, key: "drift" }), !first.has(id));
  return wrong;
}

const requiredIn = (schema: AnyOperation["body"]): readonly string[] =>
  schema && "required" in schema ? (schema.required as readonly string[]) : [];

export const errorChecks: readonly DriftCheck[] = [
  ...testKeyOperations.flatMap(wrongRequests),
  ...refusedByState,
].map(toCheck);

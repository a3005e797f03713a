/** Sends a request to the service, as a client would. */
import type { StepOf } from "../../scenarios/steps.js";
import { type StepContext, StepFailure, type StepOutcome } from "./step-context.js";

type CallStep = StepOf<"call">;
type File = NonNullable<CallStep["files"]>[string];

export async function runCallStep(context: StepContext, step: CallStep): Promise<StepOutcome> {
  const { account } = context;
  const [method = "", path = ""] = step.call.split(" ");
  const headers = toHeaders(step.headers ?? {});
  if (step.session) {
    const { token } = await account.call("createSessionToken");
    headers.set("Authorization", `Bearer ${token}`);
  }
  const body = await bodyOf(context, step, headers);
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  try {
    const response = await account.fetch(withQuery(path, step.query), init);
    const reply = await read(response);
    return {
      actual: { status: response.status, headers: Object.fromEntries(response.headers), body: reply },
      captured: reply,
    };
  } catch (error) {
    const { cause, message } = error as { cause?: NodeJS.ErrnoException; message: string };
    return { actual: { failure: cause?.code ?? cause?.message ?? message } };
  }
}

/** Throws a StepFailure that names the header that HTTP cannot carry. */
function toHeaders(given: Readonly<Record<string, string>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    try {
      headers.append(name, value);
    } catch {
      const what = `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
      throw new StepFailure(
        `the header ${what} cannot be sent: a name has letters, digits and hyphens, a value has neither line breaks nor characters beyond Latin-1`,
      );
    }
  }
  return headers;
}

async function bodyOf(
  context: StepContext,
  { body, files }: CallStep,
  headers: Headers,
): Promise<string | FormData | undefined> {
  if (!files) {
    if (body === undefined) return undefined;
    headers.set("Content-Type", "application/json");
    return JSON.stringify(body);
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {})) form.set(name, String(value));
  for (const [field, file] of Object.entries(files)) {
    form.set(field, new Blob([(await bytesOf(context, file)) as Uint8Array<ArrayBuffer>]), file.name);
  }
  return form;
}

async function bytesOf(
  { readFixture }: StepContext,
  { name, fixture, text, base64 }: File,
): Promise<Uint8Array> {
  if (text !== undefined) return Buffer.from(text);
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  if (fixture === undefined) throw new StepFailure(`the file ${name} needs one of fixture, text and base64`);
  return readFixture(fixture).catch((error: Error) => {
    throw new StepFailure(error.message);
  });
}

function withQuery(path: string, query: object | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) search.set(name, String(value));
  return search.size === 0 ? path : `${path}${path.includes("?") ? "&" : "?"}${search}`;
}

/** Returns the parsed JSON, or the size and type of a file. */
async function read(response: Response): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("json")) return response.json();
  const bytes = await response.arrayBuffer();
  return { type, size: bytes.byteLength };
}

/** Records a request to the service as a step. */
import { methodOf, pathOf } from "../../contract/operation.js";
import { redactAddress } from "../../contract/secrets.js";
import { outcomeHeader } from "../../rules/outcomes.js";
import type { CallResult } from "../../world/activity/activity.js";
import type { JournalEntry } from "../../world/activity/request-journal.js";
import { nameOfResult } from "./known-values.js";
import type { RecordedStep, Recorder } from "./recorder.js";
import { decodeBody, type RecordedCall } from "./session-log.js";

export function recordRequest(recorder: Recorder, recorded: RecordedCall): void {
  const { operation, call, body, search } = recorded;
  if (operation.id === "registerWebhook" && call.status === 201) return recordEndpoint(recorder, recorded);
  const path =
    call.path === null ? pathOf(operation).replace("{id}", String(body?.id)) : call.path.split("?")[0];
  const wanted = operation.upload ? readForm(recorder, recorded) : { body: body ?? undefined };
  if (wanted === null) return;
  if (!operation.upload && operation.body && body === null && sentBody(recorded))
    return recorder.leaveOut(recorded, "its body is not a JSON object, or is longer than 64 KB");
  const step: RecordedStep = {
    call: `${methodOf(operation)} ${recorder.rewritePath(path ?? "")}${search === "" ? "" : `?${rewriteSearch(recorder, search)}`}`,
    ...headersOf(call as JournalEntry),
    ...(operation.auth === "session" ? { session: true } : {}),
    ...("files" in wanted ? { files: wanted.files } : {}),
    ...(wanted.body === undefined || Object.keys(wanted.body).length === 0
      ? operation.body && !operation.bodyOptional
        ? { body: {} }
        : {}
      : { body: recorder.rewrite(wanted.body) }),
  };
  step.expect = expectOf(recorder, recorded, { ...wanted.body, ...recorded.params });
  const rule = recorder.drawnRules.standInFor(operation.id, call);
  if (rule) recorder.add({ say: "A rule has drawn what follows.", control: "POST /rules", body: rule });
  const hasResult = isIntact(call) && (call.status as number) < 400;
  recorder.addCall(step, nameOfResult(operation.id), hasResult ? recorded : { reply: undefined });
}

/** Returns whether a request had a body. */
const sentBody = ({ call }: RecordedCall): boolean => {
  const { headers = [] } = call as JournalEntry;
  const at = headers.findIndex((name, index) => index % 2 === 0 && /^content-length$/i.test(name));
  return call.body !== null && call.body !== "" ? true : at !== -1 && headers[at + 1] !== "0";
};

/** Returns the header of the requested outcome. The other headers depend on the client. */
function headersOf({ headers = [] }: Partial<JournalEntry>): object {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === outcomeHeader);
  return at === -1 ? {} : { headers: { "X-Sandbox-Outcome": headers[at + 1] } };
}

function rewriteSearch(recorder: Recorder, search: string): string {
  return search
    .split("&")
    .map((pair) => {
      const [name = "", ...value] = pair.split("=");
      const text = value.join("=");
      if (value.length === 0) return name;
      const known = recorder.known.reference(decodeBody(text));
      const safe = recorder.secrets.replace(name, decodeBody(text));
      if (known !== null) return `${name}=${known}`;
      return safe === decodeBody(text)
        ? redactAddress(`?${pair}`, "redacted").slice(1)
        : `${name}=${encodeURIComponent(safe)}`;
    })
    .join("&");
}

/** Faults that damage the reply. A trickling reply arrives intact. */
const broken = /reply=(?:reset_\w+|truncated|malformed)/;

/** Returns whether the client got the whole reply. */
const isIntact = ({ status, asked_fault }: CallResult): boolean =>
  status !== null && !broken.test(asked_fault ?? "");

function expectOf(recorder: Recorder, recorded: RecordedCall, asked: unknown): object {
  const { call, reply } = recorded;
  if (!isIntact(call)) return { failure: "<any>" };
  const { status } = call;
  const body = reply === undefined ? undefined : recorder.expect(reply, asked);
  return body === undefined ? { status } : { status, body };
}

/** Returns the fields and files of a form, or null if the request cannot be repeated. */
function readForm(recorder: Recorder, recorded: RecordedCall): { files: object; body: object } | null {
  const { form } = recorded.call;
  if (!form || (form.files.length === 0 && (recorded.call.status ?? 500) >= 400)) {
    recorder.leaveOut(recorded, "its form could not be read");
    return null;
  }
  const files: [string, object][] = [];
  for (const file of form.files) {
    const use = recorder.files.use(file);
    if (!use) {
      recorder.leaveOut(recorded, `${file.filename} is not kept, and no fixture is a ${file.type}`);
      return null;
    }
    if (use.standIn && (recorded.call.status ?? 0) >= 400) {
      recorder.leaveOut(recorded, `${file.filename}, which was refused, is not kept`);
      return null;
    }
    if (use.standIn)
      recorder.leftOut.add(`${file.filename}, which is not kept; ${use.fixture} stands in for it`);
    files.push([file.field, { name: file.filename, fixture: use.fixture }]);
  }
  return { files: Object.fromEntries(files), body: form.fields };
}

/** Records the registration of an endpoint as a receiver, so that a run sends nothing to the tester's own. */
export function recordEndpoint(recorder: Recorder, recorded: RecordedCall): void {
  const { body, reply } = recorded;
  const { url, events } = (body ?? {}) as { url?: string; events?: string[] };
  const step: RecordedStep = { receive: events ? { events } : {} };
  recorder.addCall(step, "receiver", recorded);
  if (url !== undefined) recorder.known.set(url, step, "receiver", "url");
  const { id } = reply as { id: string };
  recorder.receivers.set(id, step);
}

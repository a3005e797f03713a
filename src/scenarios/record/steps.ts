/** Records calls, and the messages and events that they caused, as steps or in the `given` of a scenario. */
import { headerIn } from "../../contract/headers.js";
import { methodOf, pathOf } from "../../contract/operation.js";
import { redactAddress } from "../../contract/secrets.js";
import { outcomeHeader } from "../../rules/outcomes.js";
import type { RuleBody } from "../../rules/rule-input.js";
import { channel } from "../../service/channels/channels.js";
import { fromIso } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import type { Message } from "../../world/account/inbox.js";
import type { Activity, CallResult } from "../../world/activity/activity.js";
import type { JournalEntry } from "../../world/activity/request-journal.js";
import { delivery } from "../../world/webhooks/delivery.js";
import { type Fields, sections } from "../given-sections.js";
import { nameOfResult } from "./expectations.js";
import { formatLeftOut, isDrawn, type RecordedStep, type Recorder } from "./recorder.js";
import { decodeBody, hasSucceeded, type RecordedCall, stepRouteOf } from "./session-log.js";

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
  if (call.body !== null && call.body !== "") return true;
  const { headers = [] } = call as JournalEntry;
  return (headerIn(headers, "content-length") ?? "0") !== "0";
};

/** Returns the header of the requested outcome. The other headers depend on the client. */
function headersOf({ headers = [] }: Partial<JournalEntry>): object {
  const outcome = headerIn(headers, outcomeHeader);
  return outcome === undefined ? {} : { headers: { "X-Sandbox-Outcome": outcome } };
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
const broken = /reply=(?:reset_\w+|truncated|stalled|malformed)/;

/** Returns whether the client got the whole reply. */
const isIntact = ({ status, asked_fault }: CallResult): boolean =>
  status !== null && !broken.test(asked_fault ?? "");

function expectOf(recorder: Recorder, recorded: RecordedCall, request: unknown): object {
  const { call, reply } = recorded;
  if (!isIntact(call)) return { failure: "<any>" };
  const { status } = call;
  const body = reply === undefined ? undefined : recorder.expect(reply, request);
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
    if (use.standIn !== null && (recorded.call.status ?? 0) >= 400) {
      recorder.leaveOut(recorded, `${file.filename}, which was refused, is not kept`);
      return null;
    }
    if (use.standIn !== null)
      recorder.leftOut.add(`${file.filename}, which is not kept; ${use.standIn} stands in for it`);
    files.push([file.field, use.file]);
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

/** Sections whose operations send no message and schedule nothing before the next call. */
const foldable = new Set(
  "account people channels business payout_account virtual_accounts payments charges payouts refunds".split(
    " ",
  ),
);

type Item = Record<string, unknown>;

export class GivenCalls {
  readonly given: Record<string, unknown> = {};
  #position = 0;
  #last: { item: Item; id: unknown } | null = null;

  constructor(readonly recorder: Recorder) {}

  /** Adds a call from before the recording. Returns false if that is not possible; it and all later calls become steps. */
  add(recorded: RecordedCall): boolean {
    const { recorder } = this;
    if (!recorder.isSetup || recorder.steps.length > 0 || !hasSucceeded(recorded)) return false;
    return recorded.operation.id === "moveRecord" ? this.#addMove(recorded) : this.#addRecord(recorded);
  }

  #addRecord({ operation, body, reply, call }: RecordedCall): boolean {
    const names = Object.keys(sections);
    const position = names.findIndex(
      (name) => sections[name]?.operation === operation.id && foldable.has(name),
    );
    const name = names[position] as string;
    const section = sections[name];
    const isReady = Object.keys(section?.needs ?? {}).every((needed) => needed in this.given);
    const isPlain = call.decided_by === null || call.decided_by === "default";
    if (!section || position < this.#position || !isReady || !isPlain || !body) return false;
    if (section.isSingle && name in this.given) return false;
    const item = this.recorder.rewrite(body) as Item;
    const list = (this.given[name] ?? []) as Item[];
    this.given[name] = section.isSingle ? item : [...list, item];
    this.recorder.known.learn({ as: "given" }, "given", {
      [name]: section.isSingle ? reply : { [list.length]: reply },
    });
    this.#position = position;
    this.#last = { item, id: (reply as Fields | undefined)?.[section.id ?? "id"] };
    return true;
  }

  #addMove({ params, body }: RecordedCall): boolean {
    const last = this.#last;
    if (last === null || params.id !== last.id) return false;
    const isBare = Object.keys(body ?? {}).length === 0;
    const move = isBare ? params.move : { move: params.move, with: this.recorder.rewrite(body) };
    last.item.moves = [...((last.item.moves as unknown[] | undefined) ?? []), move];
    return true;
  }
}

const recipientOf = ({ channel, to }: Message): string =>
  channel === "email" ? channel : `${channel} ${to}`;

/** Remembers a message that the loaded scenario sends in each run, before the first step. */
export function noteMessage(recorder: Recorder, account: Account, { refs }: Activity): void {
  const message = account.inbox.get(refs.message as string);
  if (!message) return;
  const recipient = recipientOf(message);
  recorder.sentBefore.set(recipient, [...(recorder.sentBefore.get(recipient) ?? []), message]);
}

/** Records a message as the next one to its recipient. Codes and links are patterns. */
export function recordMessage(recorder: Recorder, account: Account, { refs }: Activity): void {
  const message = account.inbox.get(refs.message as string);
  // A person's message to a channel is the reply of the step that wrote it.
  if (!message || account.state.has(channel, message.to)) return;
  // Numbers that the sandbox has invented differ in a run.
  if (message.channel !== "email" && !recorder.known.isRepeatable(message.to)) return;
  const recipient = recipientOf(message);
  for (const earlier of recorder.sentBefore.get(recipient) ?? []) addMessage(recorder, earlier);
  recorder.sentBefore.delete(recipient);
  addMessage(recorder, message);
}

function addMessage(recorder: Recorder, { to, channel, codes, links }: Message): void {
  // An e-mail's recipient contains the id of the account, which a run does not have.
  const filter = channel === "email" ? { channel } : { to: recorder.rewrite(to), channel };
  const step: RecordedStep = { inbox: filter };
  const found = {
    ...(codes.length > 0 ? { codes: codes.map((code) => `/\\d{${code.length}}/`) } : {}),
    ...(links.length > 0 ? { links: links.map(() => "/https?:.+/") } : {}),
  };
  step.expect = recorder.isSetup ? undefined : { channel, ...found };
  recorder.addCall(step, "message", { reply: { codes, links } });
}

/** Records an event as the next one of its kind, with what the receivers of a run get at once. */
export function recordEvent(recorder: Recorder, account: Account, { refs }: Activity): void {
  const event = account.outbox.event(refs.event as string);
  if (!event) return;
  const step: RecordedStep = { webhook: event.event };
  const sent = recorder.deliveries.get(event.id) ?? [];
  const expected = recorder.expect({ data: event.data }, {}) as object | undefined;
  const isPlain = sent.every(
    ({ rule, endpoint_id }) => rule === undefined && recorder.receivers.has(endpoint_id),
  );
  step.expect =
    expected && isPlain && sent.length > 0 && !recorder.isAdvancing
      ? { ...expected, received: sent.map(() => ({ signed: true })) }
      : expected;
  const { id, data } = event;
  recorder.addCall(step, "event", {
    reply: { id, data, deliveries: sent.map((record) => ({ id: record.id })) },
  });
}

/** Reads the account's deliveries by the events that they deliver. In turns, since there may be many. */
export function* readDeliveries(recorder: Recorder, account: Account): Generator<void, void> {
  for (const record of account.records.newest(delivery)) {
    const sent = recorder.deliveries.get(record.event_id) ?? [];
    recorder.deliveries.set(record.event_id, [record, ...sent]);
    yield;
  }
}

/** Lets each receiver of a run answer as the endpoint did. A receiver that could not be reached answers 503. */
export function recordAnswers(recorder: Recorder): void {
  const deliveries = [...recorder.deliveries.values()].reverse().flat();
  for (const [endpoint, step] of recorder.receivers) {
    const attempts = deliveries
      .filter(({ endpoint_id }) => endpoint_id === endpoint)
      .flatMap((record) => record.attempts)
      .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    const answers = attempts.map(({ status }) => (status !== null && status >= 200 ? status : 503));
    while (answers.length > 1 && answers.at(-1) === answers.at(-2)) answers.pop();
    const isDefault = answers.length === 0 || (answers.length === 1 && answers[0] === 204);
    if (!isDefault) step.receive = { answers, ...(step.receive as object) };
  }
}

/** Calls that change nothing, or that a run cannot repeat. */
const ignored = new Set(
  "createSessionToken registerKey expectRequest resetCoverage runScenario answerRelayed resetAccount rewindAccount".split(
    " ",
  ),
);

/** Operations whose steps have their own kind. */
const kinds: Readonly<
  Record<string, (recorded: RecordedCall, rewrite: (value: unknown) => unknown) => Fields>
> = {
  moveRecord: ({ params, body }, rewrite) => ({
    move: params.move,
    id: rewrite(params.id),
    ...(Object.keys(body ?? {}).length === 0 ? {} : { with: rewrite(body) }),
  }),
  replyAsPerson: ({ body }, rewrite) => ({ reply: rewrite(body) }),
  visitAddress: ({ params, body }, rewrite) => ({ visit: { id: rewrite(params.id), ...placeOf(body) } }),
  submitAddressLocation: ({ params, body }, rewrite) => ({
    visit: { id: rewrite(params.id), ...placeOf(body) },
  }),
  payCheckout: ({ params, body }, rewrite) => {
    const { reference = params.reference, card, second_step } = (body ?? {}) as Fields;
    return { pay: { reference: rewrite(reference), ...(rewrite({ card, second_step }) as Fields) } };
  },
};

const placeOf = (body: RecordedCall["body"]) => {
  const { latitude, longitude, accuracy_m } = (body ?? {}) as Fields;
  return { latitude, longitude, ...(accuracy_m === undefined ? {} : { accuracy_m }) };
};

/** Records a call of the control API or of a hosted page. Skips refused calls, which changed nothing. */
export function recordControl(recorder: Recorder, recorded: RecordedCall): void {
  const { operation, body, call, reply, params } = recorded;
  if (ignored.has(operation.id) || !hasSucceeded(recorded)) return;
  if (isOnDrawnRule(recorder, recorded)) return;
  if (operation.upload) return recordRequest(recorder, recorded);
  if (operation.id === "addWebhook" && call.status === 201) return recordEndpoint(recorder, recorded);
  const rewrite = (value: unknown) => recorder.rewrite(value);
  const own = Object.hasOwn(kinds, operation.id) ? kinds[operation.id] : undefined;
  const path = call.path ?? "";
  if (operation.body && body === null && call.body !== null && call.body !== "")
    return recorder.leaveOut(recorded, "its body is longer than 64 KB");
  const step: RecordedStep = own
    ? own(recorded, rewrite)
    : {
        control: stepRouteOf(operation, recorder.rewritePath(path)),
        ...(body === null ? {} : { body: rewrite(body) }),
      };
  if (reply !== undefined && operation.id !== "loadScenario" && operation.id !== "playScenario")
    step.expect = recorder.expect(own ? viewOf(reply) : reply, { ...body, ...params });
  recorder.addCall(step, nameOfResult(operation.id), recorded);
}

/** Leaves out the rules that draw. Returns whether the call made or removed one. */
function isOnDrawnRule(
  { drawnRules, leftOut }: Recorder,
  { operation, body, params, reply }: RecordedCall,
): boolean {
  if (operation.id === "deleteRule") return drawnRules.has(params.id as string);
  if (operation.id !== "createRule" || body === null) return false;
  const rule = body as unknown as RuleBody;
  if (!isDrawn(rule)) return false;
  drawnRules.add((reply as { id: string }).id, rule);
  leftOut.add(formatLeftOut(rule));
  return true;
}

/** Returns the reply to a move by hand without the record's history, which would make the expectation long. */
function viewOf(reply: unknown): unknown {
  const { history, moves, ...shown } = reply as Fields;
  return shown;
}

/** Returns the instant at which an advance or a freeze ended. */
export const endOf = ({ reply }: RecordedCall): number | null =>
  fromIso(String((reply as { now?: unknown } | undefined)?.now));

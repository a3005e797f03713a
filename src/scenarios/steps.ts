/** Schemas of the steps of a scenario, by the key that names their kind: `call`, `advance`, `webhook` and so on. */
import * as Type from "typebox";
import type { ControlOperationId } from "../contract/control-routes.js";
import { toAdvance } from "../time/time.js";

const object = (description: string) => Type.Object({}, { additionalProperties: true, description });

const File = Type.Object(
  {
    name: Type.String({ description: "File name. It may contain a test value such as spoof" }),
    fixture: Type.Optional(
      Type.String({ description: "Name of a file in fixtures/files, or next to the scenario" }),
    ),
    text: Type.Optional(Type.String()),
    base64: Type.Optional(Type.String()),
  },
  { additionalProperties: false, description: "A file from fixture, text or base64" },
);

const Coordinate = Type.Union([
  Type.Number(),
  Type.String({ pattern: "^\\$\\{[^{}]+\\}$", description: "Reference to the result of an earlier step" }),
]);

/** Keys that every step may have. */
const common = {
  say: Type.Optional(Type.String({ description: "Title of the step" })),
  as: Type.Optional(
    Type.String({
      pattern: "^[a-z][a-zA-Z0-9_]*$",
      description: "Name under which later steps find the result",
    }),
  ),
};

/** Keys that do nothing by themselves: a step needs another key that says what it does. */
export const stepKeysBeside: readonly string[] = [...Object.keys(common), "expect"];

const step = <P extends Type.TProperties>(properties: P) =>
  Type.Object({ ...properties, ...common }, { additionalProperties: false });

const expected = (of: string) =>
  Type.Optional(
    object(
      `${of}: objects are compared by the fields named, arrays as a whole, /…/ by pattern, <string> and the like by type`,
    ),
  );

export const stepKinds = {
  call: step({
    call: Type.String({ examples: ["POST /v1/business/payouts"], description: "A request to the service" }),
    query: Type.Optional(object("Query")),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    body: Type.Optional(object("JSON body, or the text fields of the form when files are uploaded")),
    files: Type.Optional(Type.Record(Type.String(), File)),
    session: Type.Optional(
      Type.Boolean({ description: "Uses a dashboard session token instead of the key" }),
    ),
    expect: Type.Optional(
      Type.Object(
        {
          status: Type.Optional(
            Type.Union([Type.Integer(), Type.String()], { description: "Default: a 2xx" }),
          ),
          headers: Type.Optional(Type.Record(Type.String(), Type.String())),
          body: Type.Optional(Type.Unknown()),
          failure: Type.Optional(
            Type.String({
              examples: ["<any>"],
              description: "Expects the connection to fail before the reply is complete",
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  }),
  advance: step({
    advance: Type.String({
      examples: ["24h", "next"],
      description: "Advances the clock: a duration, next, or an ISO 8601 time",
    }),
    expect: expected("{now, ran}"),
  }),
  receive: step({
    receive: Type.Object(
      {
        answers: Type.Optional(
          Type.Array(Type.Integer({ minimum: 200, maximum: 599 }), {
            minItems: 1,
            description: "Statuses of the answers in order; the last one repeats. Default 204",
          }),
        ),
        events: Type.Optional(Type.Array(Type.String())),
      },
      { additionalProperties: false, description: "Starts a receiver and registers it as an endpoint" },
    ),
  }),
  webhook: step({
    webhook: Type.String({
      examples: ["payout.rejected"],
      description: "Waits for the next event of this kind",
    }),
    expect: expected("{event, data, deliveries, and received: [{body, signed}] by the scenario's receivers}"),
  }),
  inbox: step({
    inbox: Type.Object(
      { to: Type.Optional(Type.String()), channel: Type.Optional(Type.Enum(["sms", "chat", "email"])) },
      { additionalProperties: false, description: "Waits for the next message" },
    ),
    expect: expected("{channel, to, text, codes, links}"),
  }),
  reply: step({
    reply: Type.Object(
      { channel_id: Type.String(), from: Type.String(), text: Type.String() },
      { additionalProperties: false, description: "A person replies on a channel" },
    ),
    expect: expected("The message"),
  }),
  pay: step({
    pay: Type.Object(
      {
        reference: Type.String(),
        card: Type.Optional(Type.String()),
        second_step: Type.Optional(Type.Enum(["approve", "decline"])),
      },
      { additionalProperties: false, description: "A customer pays at the checkout" },
    ),
    expect: expected("{result, decline_code, message, payment}"),
  }),
  visit: step({
    visit: Type.Object(
      {
        id: Type.String(),
        latitude: Coordinate,
        longitude: Coordinate,
        accuracy_m: Type.Optional(Type.Number()),
      },
      {
        additionalProperties: false,
        description: "A person opens confirm_url and shares a location",
      },
    ),
    expect: expected("The address check"),
  }),
  move: step({
    move: Type.String({ examples: ["reject"], description: "Makes a move by hand" }),
    id: Type.String({ description: "Id of the record" }),
    with: Type.Optional(object("Input of the move")),
    expect: expected("{state, record, moves, history}"),
  }),
  record: step({
    record: Type.String({ description: "Reads the record with this id" }),
    expect: expected("{state, record, moves, history}"),
  }),
  control: step({
    control: Type.String({ examples: ["PATCH /account"], description: "A call of the control API" }),
    body: Type.Optional(object("JSON body")),
    expect: expected("The answer"),
  }),
};
export type StepKind = keyof typeof stepKinds;
type Steps = { [K in keyof typeof stepKinds]: Type.Static<(typeof stepKinds)[K]> };
export type StepOf<K extends StepKind> = Steps[K];
export type Step = Steps[StepKind];

/** Returns the kind that a step's keys name, or null when they name none or several. */
export function stepKindOf(candidate: object): StepKind | null {
  const kinds = (Object.keys(stepKinds) as StepKind[]).filter((kind) => Object.hasOwn(candidate, kind));
  return kinds.length === 1 ? (kinds[0] as StepKind) : null;
}

export interface ControlCall {
  readonly id: ControlOperationId;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Default accuracy of the phone of a visit, in metres. */
const defaultAccuracyM = 10;

/** Returns the call in place of a step, by its kind. */
export const stepCalls = {
  advance: ({ advance }: StepOf<"advance">): ControlCall => ({
    id: "advanceClock",
    body: toAdvance(advance),
  }),
  reply: ({ reply }: StepOf<"reply">): ControlCall => ({ id: "replyAsPerson", body: reply }),
  move: ({ id, move, with: body = {} }: StepOf<"move">): ControlCall => ({
    id: "moveRecord",
    params: { id, move },
    body,
  }),
  record: ({ record }: StepOf<"record">): ControlCall => ({ id: "getRecord", params: { id: record } }),
  pay: ({ pay: { reference, ...body } }: StepOf<"pay">): ControlCall => ({
    id: "payCheckout",
    params: { reference },
    body,
  }),
  visit: ({ visit: { id, accuracy_m = defaultAccuracyM, ...place } }: StepOf<"visit">): ControlCall => ({
    id: "visitAddress",
    params: { id },
    body: { ...place, accuracy_m },
  }),
};

/** What a walk-through can do, one kind a key: `call`, `advance`, `webhook` and so on. */
import * as Type from "typebox";

const object = (description: string) => Type.Object({}, { additionalProperties: true, description });

const File = Type.Object(
  {
    name: Type.String({ description: "File name: it may hold a test value, such as spoof" }),
    fixture: Type.Optional(Type.String({ description: "A file of fixtures/files, or beside the scenario" })),
    text: Type.Optional(Type.String()),
    base64: Type.Optional(Type.String()),
  },
  { additionalProperties: false, description: "A file from fixture, text or base64" },
);

const Coordinate = Type.Union([
  Type.Number(),
  Type.String({ pattern: "^\\$\\{[^{}]+\\}$", description: "What an earlier step got" }),
]);

/** What may stand in every step. */
const common = {
  say: Type.Optional(Type.String({ description: "What the step shows, in words" })),
  as: Type.Optional(
    Type.String({
      pattern: "^[a-z][a-zA-Z0-9_]*$",
      description: "The name by which later steps find what came",
    }),
  ),
};

const step = <P extends Type.TProperties>(properties: P) =>
  Type.Object({ ...properties, ...common }, { additionalProperties: false });

const expected = (of: string) =>
  Type.Optional(
    object(`${of}: objects by the fields named, arrays whole, /…/ by pattern, <string> and the like by type`),
  );

export const stepKinds = {
  call: step({
    call: Type.String({ examples: ["POST /v1/business/payouts"], description: "A request of the service" }),
    query: Type.Optional(object("Query")),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    body: Type.Optional(object("JSON body; the text fields of the form where there are files")),
    files: Type.Optional(Type.Record(Type.String(), File)),
    session: Type.Optional(
      Type.Boolean({ description: "With a dashboard session token in place of the key" }),
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
            Type.String({ examples: ["<any>"], description: "No whole reply comes: the connection fails" }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  }),
  advance: step({
    advance: Type.String({
      examples: ["24h", "next"],
      description: "The clock: a duration, next, or an ISO 8601 time",
    }),
    expect: expected("{now, ran}"),
  }),
  receive: step({
    receive: Type.Object(
      {
        answers: Type.Optional(
          Type.Array(Type.Integer({ minimum: 200, maximum: 599 }), {
            minItems: 1,
            description: "Statuses, one after the other; the last one stays. Default: 204",
          }),
        ),
        events: Type.Optional(Type.Array(Type.String())),
      },
      { additionalProperties: false, description: "A receiver is opened here and registered" },
    ),
  }),
  webhook: step({
    webhook: Type.String({ examples: ["payout.rejected"], description: "The next event of this kind" }),
    expect: expected(
      "{event, data, deliveries, and received: [{body, signed}] as the scenario's receivers got it}",
    ),
  }),
  inbox: step({
    inbox: Type.Object(
      { to: Type.Optional(Type.String()), channel: Type.Optional(Type.Enum(["sms", "chat", "email"])) },
      { additionalProperties: false, description: "The next message" },
    ),
    expect: expected("{channel, to, text, codes, links}"),
  }),
  reply: step({
    reply: Type.Object(
      { channel_id: Type.String(), from: Type.String(), text: Type.String() },
      { additionalProperties: false, description: "A person writes" },
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
      { additionalProperties: false, description: "The customer pays at the checkout" },
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
        description: "The person opens confirm_url and shares where the phone is",
      },
    ),
    expect: expected("What the check came to"),
  }),
  move: step({
    move: Type.String({ examples: ["reject"], description: "A move by hand" }),
    id: Type.String({ description: "The record" }),
    with: Type.Optional(object("The move's input")),
    expect: expected("{state, record, moves, history}"),
  }),
  record: step({
    record: Type.String({ description: "Id" }),
    expect: expected("{state, record, moves, history}"),
  }),
  control: step({
    control: Type.String({ examples: ["PATCH /account"], description: "Any call of the control API" }),
    body: Type.Optional(object("JSON body")),
    expect: expected("The answer"),
  }),
};
export type StepKind = keyof typeof stepKinds;
export type StepOf<K extends StepKind> = Type.Static<(typeof stepKinds)[K]>;
export type Step = { [K in StepKind]: StepOf<K> }[StepKind];

/** The kind that a step's keys name; null: none, or several. */
export function stepKindOf(candidate: object): StepKind | null {
  const kinds = (Object.keys(stepKinds) as StepKind[]).filter((kind) => Object.hasOwn(candidate, kind));
  return kinds.length === 1 ? (kinds[0] as StepKind) : null;
}

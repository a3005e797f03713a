/** Records an account: what happened to it, as a scenario that passes on a new account. */
import * as Type from "typebox";
import { refuse } from "../contract/errors.js";
import { JsonText } from "../contract/reply-forms.js";
import { NotRecordable, type RecordedSession, recordSession } from "../scenarios/record/record-session.js";
import { gatherText, withCommas } from "../world/store/text-pieces.js";
import type { ControlContext } from "./operation.js";
import { requireScenario } from "./scenarios.js";
import { OpaqueObject } from "./schemas.js";

export const sinceField = Type.Optional(
  Type.String({
    description:
      "Id of an activity, request, event, delivery, message or record: only what happened from then on is exported. Earlier calls are only repeated, in a scenario, to set up the state. Default: everything since the account was empty",
  }),
);

export const recordingFields = {
  since: sinceField,
  inline: Type.Optional(
    Type.Boolean({ description: "Whether uploaded files are in the steps, as base64. Default false" }),
  ),
};

export const RecordingView = Type.Object({
  scenario: OpaqueObject,
  files: Type.Array(Type.Object({ name: Type.String(), base64: Type.String() }), {
    description: "Uploaded files, which belong beside the scenario",
  }),
  left_out: Type.Array(Type.String(), { description: "What is not in the scenario, and why" }),
});

function* recordingText({ scenario, files, left_out }: RecordedSession): Generator<string> {
  const { steps = [], ...head } = scenario;
  yield `{"scenario":${JSON.stringify(head).slice(0, -1)},"steps":[`;
  yield* withCommas(steps);
  yield ']},"files":[';
  yield* withCommas(files);
  yield `],"left_out":${JSON.stringify(left_out)}}`;
}

type RecordingQuery = Type.Static<Type.TObject<typeof recordingFields>>;

export async function exportScenario({
  account,
  query,
  sandbox,
}: ControlContext & { query: RecordingQuery }): Promise<JsonText> {
  try {
    const recording = await recordSession(account, {
      operations: sandbox.stage.operations,
      ...query,
      readScenario: (name) => requireScenario(name, sandbox),
    });
    return new JsonText(await gatherText(recordingText(recording)));
  } catch (error) {
    if (!(error instanceof NotRecordable)) throw error;
    return refuse(error.code, { param: "since", message: error.message });
  }
}

/** Recording of what happened to an account, as a scenario (design: "From what happened to a test"). */

import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { JsonText } from "../contract/reply-forms.js";
import { inlineFiles } from "../scenarios/record/inline-files.js";
import { NotRecordable, type RecordedSession, recordSession } from "../scenarios/record/record-session.js";
import { gatherText, withCommas } from "../world/store/text-pieces.js";
import { operation } from "./operation.js";
import { requireScenario } from "./scenarios.js";
import { OpaqueObject } from "./schemas.js";

function* recordingText({ scenario, files, left_out }: RecordedSession): Generator<string> {
  const { steps = [], ...head } = scenario;
  yield `{"scenario":${JSON.stringify(head).slice(0, -1)},"steps":[`;
  yield* withCommas(steps);
  yield ']},"files":[';
  yield* withCommas(files);
  yield `],"left_out":${JSON.stringify(left_out)}}`;
}

export const getRecording = operation({
  id: "getRecording",
  route: controlRoutes.getRecording,
  summary: "Get what happened to the account as a scenario that passes on a new account",
  description:
    "Ids are captured and reused, codes and times are patterns, and other values are expected by type where the requests did not set them. Secrets are replaced. Endpoints become receivers of the run. Uploaded files are kept in memory only: the newest ones, up to 1 MB each and 32 MB together; fixtures stand in for others.",
  auth: "control",
  query: Type.Object({
    since: Type.Optional(
      Type.String({
        description:
          "Id of an activity, request, event, delivery, message or record to begin with; earlier calls are only repeated to set up the state. Default: everything since the account was empty",
      }),
    ),
    inline: Type.Optional(
      Type.Boolean({ description: "Whether uploaded files are in the steps, as base64. Default false" }),
    ),
  }),
  reply: {
    200: Type.Object({
      scenario: OpaqueObject,
      files: Type.Array(Type.Object({ name: Type.String(), base64: Type.String() }), {
        description: "Uploaded files, which belong beside the scenario",
      }),
      left_out: Type.Array(Type.String(), { description: "What is not in the scenario, and why" }),
    }),
  },
  refuses: ["resource_not_found", "invalid_state", "validation_error"],

  async handle({ account, query, sandbox, refuse }) {
    try {
      const { since, inline = false } = query;
      const recording = await recordSession(account, {
        operations: sandbox.stage.operations,
        since,
        readScenario: (name) => requireScenario(name, sandbox),
      });
      const text = recordingText(inline ? inlineFiles(recording) : recording);
      return new JsonText(await gatherText(text)) as never;
    } catch (error) {
      if (!(error instanceof NotRecordable)) throw error;
      return refuse(error.code, { param: "since", message: error.message });
    }
  },
});

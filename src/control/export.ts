/** Exports what happened to an account, in the forms of other tools: a bundle, an HTTP archive, a pact or a scenario. */
import * as Type from "typebox";
import { BundleView, exportBundle } from "./bundle.js";
import { exportHar, HttpArchive } from "./har.js";
import { operation } from "./operation.js";
import { exportPact, PactView, pactFields } from "./pact.js";
import { exportScenario, RecordingView, recordingFields } from "./recording.js";

/** Forms of an export, with the query fields that each has. */
const forms = {
  bundle: { reply: BundleView, fields: {}, write: exportBundle },
  har: { reply: HttpArchive, fields: {}, write: exportHar },
  pact: { reply: PactView, fields: pactFields, write: exportPact },
  scenario: { reply: RecordingView, fields: recordingFields, write: exportScenario },
};

/** Replies by kind. */
export type Exported = { [K in keyof typeof forms]: Type.Static<(typeof forms)[K]["reply"]> };
export type ExportKind = keyof Exported;

export const exportAccount = operation({
  id: "exportAccount",
  summary: "Export what happened to the account as a bundle, an HTTP archive, a pact or a scenario",
  description: [
    "`bundle`: the state, activities, requests, deliveries and assumptions as one document, for a report of what happened: `standin bundle` writes it, and `standin open` shows it. Keys, codes, identity and card numbers, expected answers and the webhook secret are replaced by `[redacted]`. Names, phone numbers and texts remain.",
    "`har`: the last 1,000 requests as an HTTP archive (HAR 1.2), for the network panel of a browser, a proxy or a load tester. Secrets are replaced as in a bundle. Times are on the account's clock, and a request whose connection was reset has status 0.",
    "`pact`: the requests as a pact of client and service, or the deliveries as a pact of service and receiver. Pact version 4. Has one interaction for each distinct shape, with matchers from the contract's schemas and the provider states that it needs. Keys and personal data are replaced. Consumer and provider default to client and service, for webhooks to service and receiver.",
    "`scenario`: a scenario that passes on a new account. Ids are captured and reused, codes and times are patterns, and other values are expected by type where the requests did not set them. Secrets are replaced. Endpoints become receivers of the run. Uploaded files are kept in memory only: the newest ones, up to 1 MB each and 32 MB together; fixtures stand in for others.",
  ].join("\n\n"),
  params: Type.Object({ kind: Type.Enum(Object.keys(forms) as ExportKind[]) }),
  query: Type.Object({ ...pactFields, ...recordingFields }),
  reply: { 200: Type.Union([BundleView, HttpArchive, PactView, RecordingView]) },
  refuses: ["resource_not_found", "invalid_state", "validation_error"],

  async handle({ params: { kind }, query, refuse, ...context }) {
    const known = Object.keys(forms[kind].fields);
    const unknown = Object.keys(query).find((name) => !known.includes(name));
    if (unknown !== undefined) {
      const has = known.length === 0 ? "has no fields" : `has ${known.join(", ")}`;
      refuse("validation_error", { param: unknown, message: `The export ${kind} ${has}; got ${unknown}.` });
    }
    return (await forms[kind].write({ ...context, query })) as never;
  },
});

/** Every alternative of the catalogue, and the file that tests it. */
import type { Assumptions, SwitchId } from "../../../src/service/assumptions.js";
import { useSandbox } from "../../support/sandbox.js";

type Shown = { readonly [Id in SwitchId]: Readonly<Partial<Record<Assumptions[Id], string>>> };

export const shownIn = {
  "errors.body": { problem: "error-bodies.test.ts", flat: "error-bodies.test.ts" },
  "errors.validation_status": { "422": "validation-status.test.ts" },
  "errors.other_statuses": { "400": "other-statuses.test.ts" },
  "http.created": { ok: "created.test.ts" },
  "uploads.megabyte": { decimal: "upload-limits.test.ts" },
  "fields.unmarked": { refused: "unknown-fields.test.ts" },
  "fields.null": { refused: "null-fields.test.ts" },
  "address.unknown_position": { null: "unknown-positions.test.ts" },
  "lookup.not_found": { refused: "lookups.test.ts" },
  banks: { named: "banks.test.ts" },
  "phone.states": { failed: "phone-codes.test.ts" },
  "phone.ended": { refused: "phone-codes.test.ts" },
  "phone.second_code": { replaced: "phone-codes.test.ts" },
  "charging.test_keys": { free: "charging.test.ts" },
  "webhooks.bytes": { compact: "webhooks.test.ts" },
  "phone.code_reuse": { again: "phone-codes.test.ts" },
  "audits.failed": { refunded: "failed-audits.test.ts" },
  "files.background": { refused: "busy-backgrounds.test.ts" },
  "channels.closed_window": { refused: "closed-window.test.ts" },
  "identity.defaults": { folded: "identity-answers.test.ts" },
  "business.reference_reuse": { returned: "references.test.ts" },
  "business.refund_balance": { negative: "refunds.test.ts" },
  "webhooks.headers": { extended: "webhooks.test.ts" },
  "webhooks.payload": { bare: "webhooks.test.ts" },
  "webhooks.secret": { endpoint: "webhooks.test.ts" },
  "verification.reply_fields": { all: "reply-fields.test.ts" },
} as const satisfies Shown;

/** Creates a sandbox with this alternative in force. */
export const useAlternative = <Id extends SwitchId>(assumption: Id, value: Assumptions[Id]) =>
  useSandbox({ assumptions: { [assumption]: value } });

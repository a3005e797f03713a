/** The probe of every assumption that can be switched. */
import type { Assumptions, SwitchId } from "../../service/assumptions.js";
import { referenceReuse, refundBalance } from "./business.js";
import { channelsClosedWindow, identityDefaults } from "./channels.js";
import {
  chargingTestKeys,
  errorsBody,
  fieldsNull,
  fieldsUnmarked,
  httpCreated,
  otherStatuses,
  validationStatus,
} from "./general.js";
import { bankCodes, lookupNotFound, replyFields, unknownPosition } from "./identity.js";
import { phoneCodeReuse, phoneEnded, phoneSecondCode, phoneStates } from "./phone.js";
import type { Probe } from "./probe.js";
import { auditsFailed, filesBackground, uploadsMegabyte } from "./tools.js";
import { webhooksBytes, webhooksHeaders, webhooksPayload, webhooksSecret } from "./webhooks.js";

export const probes: { readonly [Id in SwitchId]: Probe<Assumptions[Id]> } = {
  "errors.body": errorsBody,
  "errors.validation_status": validationStatus,
  "errors.other_statuses": otherStatuses,
  "http.created": httpCreated,
  "fields.unmarked": fieldsUnmarked,
  "fields.null": fieldsNull,
  "charging.test_keys": chargingTestKeys,
  "channels.closed_window": channelsClosedWindow,
  "phone.states": phoneStates,
  "phone.ended": phoneEnded,
  "phone.code_reuse": phoneCodeReuse,
  "phone.second_code": phoneSecondCode,
  "lookup.not_found": lookupNotFound,
  "verification.reply_fields": replyFields,
  banks: bankCodes,
  "address.unknown_position": unknownPosition,
  "uploads.megabyte": uploadsMegabyte,
  "files.background": filesBackground,
  "audits.failed": auditsFailed,
  "identity.defaults": identityDefaults,
  "business.reference_reuse": referenceReuse,
  "business.refund_balance": refundBalance,
  "webhooks.bytes": webhooksBytes,
  "webhooks.headers": webhooksHeaders,
  "webhooks.payload": webhooksPayload,
  "webhooks.secret": webhooksSecret,
};

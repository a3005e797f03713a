/** Flags of `standin record`. */
import type { SandboxFlags } from "../sandbox-options.js";
import type { RecordedForm } from "../scenario/write-recording.js";

export interface RecordFlags extends SandboxFlags {
  from: string;
  as?: RecordedForm;
  out?: string;
  port?: number;
  iKnowThisCostsMoney?: true;
  json?: true;
}

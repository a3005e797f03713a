import type { Assumptions, SwitchId } from "../../../src/service/assumptions.js";
import { useSandbox } from "../../support/sandbox.js";

/** Creates a sandbox with this alternative in force. */
export const useAlternative = <Id extends SwitchId>(assumption: Id, value: Assumptions[Id]) =>
  useSandbox({ assumptions: { [assumption]: value } });

/** Every state machine of the service. */

import { delivery } from "../world/delivery.js";
import { type AnyMachine, forgetTypes } from "../world/machine.js";
import { phoneVerification } from "./phone/machine.js";

export const machines: readonly AnyMachine[] = [forgetTypes(phoneVerification), forgetTypes(delivery)];

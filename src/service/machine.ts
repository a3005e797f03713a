/** Defines the state machines of the service. */

import type { Account } from "../world/account/account.js";
import { machineFor } from "../world/records/machine.js";
import type { EventKind } from "./webhooks/events.js";

/** `machine<Fields>()({ name, prefix, states, moves, view })` defines a machine whose records have these fields. */
export const machine = machineFor<Account, EventKind>();

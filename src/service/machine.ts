/** Defines the state machines of the service. */
import type { EventKind } from "../contract/events.js";
import type { Account } from "../world/account/account.js";
import { machineFor } from "../world/records/machine.js";

/** `machine<Fields>()({ name, prefix, states, moves, view })` defines a machine whose records have these fields. */
export const machine = machineFor<Account, EventKind>();

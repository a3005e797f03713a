/** Defines the state machines of the service. */

import * as Type from "typebox";
import type { Account } from "../world/account/account.js";
import { machineFor, recordFor } from "../world/records/machine.js";
import type { EventKind } from "./webhooks/events.js";

/** Schema of a stored time, in ms on the account's clock. */
export const Ms = Type.Integer();

/** `record(Schema, { hidden, view })` derives a record from the schema of the reply that shows it. */
export const record = recordFor<Account>();

/** `machine(record, { name, prefix, moves })` defines a machine whose records are of this kind. */
export const machine = machineFor<Account, EventKind>();

/** Interface: "Virtual account", a bank account number for one customer. */
import { machine } from "../../machine.js";

export interface VirtualAccountFields {
  reference: string;
  account_number: string;
  bank_name: string;
  account_name: string;
  customer_name: string;
  customer_email: string;
  test: boolean;
}

/** Formats what happened to an account number, such as `Account number 9912345678 created for Ada Obi.` */
const describe =
  (what: string) =>
  ({ account_number, customer_name }: VirtualAccountFields): string =>
    `Account number ${account_number} ${what} for ${customer_name}.`;

export const virtualAccount = machine<VirtualAccountFields>()({
  name: "virtual_account",
  prefix: "va_",
  index: ["reference"],
  states: ["active", "inactive"],
  moves: {
    create: { from: "new", to: "active", emits: "virtual_account.created", says: describe("created") },
    deactivate: { from: "active", to: "inactive", says: describe("deactivated") },
    activate: { from: "inactive", to: "active", says: describe("activated") },
  },
  view: (record) => ({
    id: record.id,
    reference: record.reference,
    account_number: record.account_number,
    bank_name: record.bank_name,
    account_name: record.account_name,
    customer_name: record.customer_name,
    customer_email: record.customer_email,
    test: record.test,
    active: record.state === "active",
    created_at: record.created_at,
  }),
});

import * as Type from "typebox";
import { exactly } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { VirtualAccountInList } from "./schemas.js";

export const listVirtualAccounts = operation({
  id: "listVirtualAccounts",
  route: "GET /v1/business/virtual-accounts",
  summary: "List the virtual accounts and what each received",
  auth: "key",
  reply: { 200: exactly({ accounts: Type.Array(VirtualAccountInList) }) },
  assumptions: ["lists"],
});

/** The API reference, which is loaded when it is first opened. */
import { later } from "../../pieces/later.js";

export const ReferenceScreen = later(async () => (await import("./reference.js")).OperationReference);

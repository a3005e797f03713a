/** Functions for requests of a listener that are not deliveries, loaded with the first of them. */
export { sendRawRequest } from "../../receiver-check/raw-request.js";
export { expectReachable } from "../../receiver-check/reachable.js";

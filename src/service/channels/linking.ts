/** The website of a channel: where its `verification` events go; assumption identity.defaults. */
import { refuse } from "../../contract/errors.js";
import { isDeliverable } from "../webhooks/deliverable-url.js";

/** The `url` of the move `connect_website`; null takes the website away. */
export function readWebsite(input: unknown): string | null {
  const url = (input as { url?: unknown } | undefined)?.url;
  if (url === null || (typeof url === "string" && isDeliverable(url))) return url;
  const message =
    "url must be an http or https URL without user name and password, such as http://127.0.0.1:3000/verified, or null.";
  return refuse("validation_error", { param: "url", message });
}

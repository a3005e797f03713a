/** One sandbox for the whole run; its workers find it in their environment. */
import { startSandbox } from "standin";

export default async function start() {
  // `standin exec -- npm test` has already started a sandbox.
  if (process.env.STANDIN_URL !== undefined) return;
  globalThis.sandbox = await startSandbox();
  process.env.STANDIN_URL = globalThis.sandbox.url;
}

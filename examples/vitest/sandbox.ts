/** One sandbox for the whole run. Its URL goes to the workers, where each test opens its own account. */
import { formatCoverage, startSandbox } from "standin";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    sandboxUrl: string;
  }
}

export default async function setup({ provide }: TestProject) {
  // `standin exec -- npm test` has already started a sandbox, and prints its coverage at the end.
  const running = process.env.STANDIN_URL;
  if (running !== undefined) return provide("sandboxUrl", running);

  const sandbox = await startSandbox();
  provide("sandboxUrl", sandbox.url);
  return async () => {
    console.log(`Coverage of the service: ${formatCoverage(await sandbox.coverage())}`);
    await sandbox.close();
  };
}

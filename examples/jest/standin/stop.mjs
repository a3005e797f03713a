import { formatCoverage } from "standin";

export default async function stop() {
  const { sandbox } = globalThis;
  if (sandbox === undefined) return;
  console.log(`\nCoverage of the service: ${formatCoverage(await sandbox.coverage())}`);
  await sandbox.close();
}

/** Finds and reads the dashboard's script and style sheet, which the build writes into dist/dashboard/. */
import { listBuiltFiles, readBuiltFile } from "../built-files.js";

/** Names hold a hash of the content, so that browsers may keep the files for good. */
const fileName = /^[a-z-]+-[A-Z0-9]+\.(js|css)$/;

export interface DashboardFiles {
  script: string;
  style: string;
}

/** Returns the names of the files of the last build, or null if there are none. */
export async function findDashboardFiles(): Promise<DashboardFiles | null> {
  const names = await listBuiltFiles("dashboard");
  const [script, style] = ["js", "css"].map((type) =>
    names.find((name) => name.startsWith("dashboard-") && fileName.exec(name)?.[1] === type),
  );
  return script && style ? { script, style } : null;
}

/** Reads a file of the dashboard. Returns null for names that it does not have. */
export async function readDashboardFile(name: string): Promise<Buffer | null> {
  if (!fileName.test(name)) return null;
  return readBuiltFile("dashboard", name);
}

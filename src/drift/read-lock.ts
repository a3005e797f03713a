/** Reads the lock file of drift runs. */
import { type DriftLock, type FindValidation, parseLock } from "../contract/drift-lock.js";
import { FileError, readTextFile } from "../contract/read-file.js";
import { formatDaysAgo, fromIso, realNow } from "../time/time.js";

/** Returns null if the file does not exist. Rejects with a FileError if it cannot be used. */
export async function readLock(file: string): Promise<DriftLock | null> {
  const text = await readTextFile(file, `the lock file ${file}`).catch((error: FileError) => {
    if (error.isMissing) return null;
    throw error;
  });
  if (text === null) return null;
  return parseLock(text).catch((error: Error) => {
    throw new FileError(`${file} is not a lock file of standin drift: ${error.message}`);
  });
}

/**
 * Reads when the assumptions were checked against the service. With `file` null they never were. A file that cannot be used
 * is warned of and counts as none.
 */
export async function readValidations(
  file: string | null,
  warn: (message: string) => void,
): Promise<FindValidation> {
  const lock =
    file === null
      ? null
      : await readLock(file).catch((error: Error) => {
          warn(error.message);
          return null;
        });
  const now = realNow();
  return (id) => {
    const entry = lock && Object.hasOwn(lock.assumptions, id) ? lock.assumptions[id] : undefined;
    if (!entry) return null;
    const { checked_at, observed } = entry;
    return { checked_at, age: formatDaysAgo(now - (fromIso(checked_at) ?? now)), observed };
  };
}

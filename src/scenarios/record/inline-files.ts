/** Puts the files of a recording into its steps, for a scenario in one piece. */
import type { RecordedSession } from "./record-session.js";

interface FileOfStep {
  name: string;
  fixture?: string;
  base64?: string;
}

export function inlineFiles({ scenario, files, left_out }: RecordedSession): RecordedSession {
  const contents = new Map(files.map(({ name, base64 }) => [name, base64]));
  const inline = ({ name, fixture = "", ...others }: FileOfStep): FileOfStep => {
    const base64 = contents.get(fixture);
    return base64 === undefined ? { name, fixture, ...others } : { name, base64 };
  };
  const steps = scenario.steps?.map((step) => {
    const { files: uploaded } = step as { files?: Record<string, FileOfStep> };
    if (!uploaded) return step;
    const entries = Object.entries(uploaded).map(([field, file]) => [field, inline(file)]);
    return { ...step, files: Object.fromEntries(entries) };
  });
  return { scenario: { ...scenario, ...(steps ? { steps } : {}) }, files: [], left_out };
}

/** Files that `standin init` writes into a project. */

export interface PlannedFile {
  /** Path from the project's folder. */
  path: string;
  /** Content; bytes only of a file that is not text. */
  text: string | Uint8Array;
  /** Whether the file is the project's own, to which the text only adds something. */
  isAddition?: true;
  isExecutable?: true;
  /** Whether it is written only on demand, for an exam. */
  isOfExam?: true;
}

export interface InitPlan {
  /** Project that was found, such as "an npm project". */
  project: string;
  files: PlannedFile[];
  /** Remaining steps, one command or sentence each. */
  next: string[];
}

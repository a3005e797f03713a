/** What `standin init` writes into a project. */

export interface PlannedFile {
  /** Path from the project's folder. */
  path: string;
  text: string;
  /** Whether the file is the project's own, to which the text only adds something. */
  isAddition?: true;
  isExecutable?: true;
}

export interface Plan {
  /** What was found: "an npm project", for example. */
  project: string;
  files: PlannedFile[];
  /** What remains to be done, one command or sentence each. */
  next: string[];
}

/** A step that could not be taken; the message says why. */
export class StepFailure extends Error {}

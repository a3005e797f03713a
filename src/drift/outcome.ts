/** Why a probe or a step of a scenario has no verdict of its own. */

/** The service did not answer, or answered with an outage or a limit. This is never drift. */
export class CouldNotCheck extends Error {}

/** The service cannot be asked in this run. The message says what would make it possible. */
export class NotTestable extends Error {}

/** The service refuses the API key, so nothing can be checked. */
export class KeyRefused extends Error {}

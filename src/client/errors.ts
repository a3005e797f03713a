/** Thrown when a call is refused. */
export class ControlError extends Error {
  constructor(
    /** HTTP status of the reply. */
    readonly status: number,
    /** Error code, such as `invalid_state`. Empty when the reply does not come from a sandbox. */
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = "ControlError";
  }
}

/** Thrown when nothing answers at the sandbox's URL. `cause` is the connection error. */
export class NoSandbox extends Error {
  /** Code or message of the connection's error, such as `ECONNREFUSED`. */
  readonly reason: string;

  constructor(url: string, cause: unknown) {
    const { code, message } = ((cause as Error).cause ?? cause) as Error & { code?: string };
    const reason = code ?? message;
    super(`no sandbox answers at ${url} (${reason}): it was closed, or it runs elsewhere`, { cause });
    this.name = "NoSandbox";
    this.reason = reason;
  }
}

/** One test delivery and the receiver's answer to it. */

export interface TestDelivery {
  readonly body: string;
  /** Value of the signature header, or null for no header. */
  readonly signature: string | null;
  /** Whether the service could have sent it. */
  readonly genuine: boolean;
}

export interface ReceiverExchange {
  /** Id of the check that the delivery belongs to. */
  readonly check: string;
  readonly delivery: TestDelivery;
  /** HTTP status, or null when no answer came. */
  readonly status: number | null;
  /** Real ms that the answer took. */
  readonly duration_ms: number;
  readonly error: string | null;
  readonly timedOut: boolean;
}

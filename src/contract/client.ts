/** Who sent a request, as far as a handler may care. */
export interface Client {
  /** Aborts when the connection closes before the reply; its reason is to be thrown. */
  readonly gone: AbortSignal;
}

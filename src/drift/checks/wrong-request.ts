/** A request that the service refuses. */
import type { ServiceRequest } from "../service-client.js";
import type { CheckedSide } from "./check.js";

/** How a request is made wrong, and the request. */
export interface WrongRequest {
  readonly operation: string;
  readonly how: string;
  readonly about: string;
  /** Calls beside the refused one. */
  readonly more?: number;
  readonly slow?: boolean;
  request(side: CheckedSide): Promise<ServiceRequest>;
}

/** Turns what other layers and libraries throw into refusals of the error catalogue. */

import type { MulterError } from "multer";
import { controlRoutes, describeRemovedRoute } from "../contract/control-routes.js";
import { Refusal } from "../contract/errors.js";
import { nearestNames } from "../contract/nearest.js";
import { type AnyOperation, pathOf } from "../contract/operation.js";
import { AccountClosed } from "../world/account/commits.js";
import { IllegalMove } from "../world/records/machine.js";
import { ClockBusy } from "../world/scheduler.js";
import { OwnedElsewhere, StoreError } from "../world/store/store.js";
import { ClientGone } from "./request-context.js";

/** Returns the refusal for an error, `ClientGone` if the client has disconnected, or null for an unexpected error. */
export function toRefusal(
  error: unknown,
  operation: AnyOperation | null = null,
): Refusal | ClientGone | null {
  if (error instanceof Refusal || error instanceof ClientGone) return error;
  if (error instanceof IllegalMove) {
    const { state, legal } = error;
    return new Refusal("invalid_state", {
      message: `${error.message}.`,
      extra: { state, legal_moves: legal },
    });
  }
  if (error instanceof ClockBusy) {
    return new Refusal("clock_busy", {
      message: "The account's clock is being advanced; wait for the reply to that call.",
    });
  }
  if (error instanceof AccountClosed) return new Refusal("storage_unavailable");
  if (error instanceof OwnedElsewhere)
    return new Refusal("storage_unavailable", {
      message: "The replica that owns the account does not answer, and the account cannot be taken over yet.",
    });
  if (error instanceof StoreError) {
    const { publicMessage } = error;
    return new Refusal("storage_unavailable", publicMessage === null ? {} : { message: `${publicMessage}.` });
  }
  return error instanceof Error ? fromLibrary(error, operation) : null;
}

/** Maps the errors of body-parser, multer and Express's router. */
function fromLibrary(error: Error & { type?: string; status?: number }, operation: AnyOperation | null) {
  switch (error.type) {
    case "entity.too.large":
      return new Refusal("body_too_large");
    case "encoding.unsupported":
    case "charset.unsupported":
      return new Refusal("unsupported_media_type", { message: `${error.message}.` });
    case "request.aborted":
    case "request.size.invalid":
      return new ClientGone();
  }
  if (error.name === "MulterError") return fromMulter(error as MulterError, operation);
  const isOfClient = error.status !== undefined && error.status >= 400 && error.status < 500;
  return isOfClient ? new Refusal("validation_error", { message: `${error.message}.` }) : null;
}

function fromMulter({ code, field: param = "body", message }: MulterError, operation: AnyOperation | null) {
  const upload = operation?.upload ?? {};
  if (code !== "LIMIT_UNEXPECTED_FILE")
    return new Refusal("validation_error", { param, message: `The form is not acceptable: ${message}.` });
  if (Object.hasOwn(upload, param))
    return new Refusal("validation_error", { param, message: `${param} has more than one file; send one.` });
  const fields = Object.keys(upload).join(", ");
  const text = `The form has a file in ${param}; files are accepted in: ${fields}.`;
  return new Refusal("unknown_field", { param, message: text });
}

/**
 * Returns the refusal of an unknown path. It names the replacement of a removed operation, or suggests the nearest path
 * if one is close.
 */
export function unknownPath(
  path: string,
  operations: readonly AnyOperation[] = [],
  method: string | null = null,
): Refusal {
  const removed = method === null ? null : describeRemovedRoute(method, path);
  return new Refusal("route_not_found", {
    message: removed
      ? `${removed}.`
      : `There is no ${path}${formatNearestPath(path, operations)}. ${controlRoutes.getServiceContract} lists the service's operations, ${controlRoutes.getControlContract} the sandbox's own.`,
  });
}

const maxComparedLength = 200;

/** Formats the suggestion of a path. A path without /v1 is also compared with /v1 in front. */
function formatNearestPath(path: string, operations: readonly AnyOperation[]): string {
  if (path.length > maxComparedLength) return "";
  const templates = [...new Set(operations.map(pathOf))];
  for (const word of [`/v1${path}`, path]) {
    const known = new Map(templates.map((template) => [fillParameters(template, word), template]));
    const maxDistance = Math.min(4, Math.floor(word.length / 4));
    const [nearest] = nearestNames(word, [...known.keys()], { maxDistance });
    if (nearest !== undefined) return `; the nearest is ${describePath(nearest, known.get(nearest) ?? "")}`;
  }
  return "";
}

/** Describes a path, as its template if one of its parameters is empty. */
function describePath(path: string, template: string): string {
  const segments = path.split("/");
  const empty = template.split("/").filter((part, index) => part.startsWith("{") && segments[index] === "");
  if (empty.length === 0) return path;
  return `${template}, and ${empty.map((part) => part.slice(1, -1)).join(", ")} is empty here`;
}

/** Replaces the parameters of a template with the segments of a path, so that only the other segments differ. */
function fillParameters(template: string, path: string): string {
  const segments = path.split("/");
  return template
    .split("/")
    .map((part, index) => (part.startsWith("{") ? (segments[index] ?? part) : part))
    .join("/");
}

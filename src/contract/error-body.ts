/** Error bodies; assumptions errors.body, errors.validation_status and errors.other_statuses. */
import * as Type from "typebox";
import type { GeneralAssumptions } from "./assumptions/general.js";
import { type ErrorCode, errors, errorTypes, type Refusal } from "./errors.js";
import { exactly, nullable } from "./schemas.js";

const Detail = exactly({ param: Type.String(), code: Type.String(), message: Type.String() });

const assumed = { "x-assumption": "errors.body" };
const ErrorType = Type.Enum([...errorTypes], { "x-assumption": "errors.types" });
const rest = {
  param: nullable(Type.String()),
  details: Type.Array(Detail),
  request_id: Type.String(),
  required_plan: Type.Optional(
    Type.Enum(["growth", "business"], { description: "Of plan_required: the plan that the operation needs" }),
  ),
};

/** Schemas for each value of assumption errors.body. Additional fields are allowed. */
const shapes = {
  envelope: {
    mediaType: "application/json",
    body: Type.Object(
      { error: Type.Object({ type: ErrorType, code: Type.String(), message: Type.String(), ...rest }) },
      assumed,
    ),
  },
  problem: {
    mediaType: "application/problem+json",
    body: Type.Object(
      {
        type: Type.String({ format: "uri" }),
        title: Type.String(),
        status: Type.Integer(),
        detail: Type.String(),
        code: Type.String(),
        ...rest,
      },
      assumed,
    ),
  },
  flat: {
    mediaType: "application/json",
    body: exactly({ code: Type.String(), message: Type.String() }, assumed),
  },
} as const;

/** Returns the media type and schema of error bodies. */
export const errorShape = (assumptions: GeneralAssumptions) => shapes[assumptions["errors.body"]];

const json = "application/json; charset=utf-8";

export interface RenderedError {
  status: number;
  contentType: string;
  body: Record<string, unknown>;
}

/** Returns the assumption that decides the status of an error. Null if the interface states it. */
export function statusSwitchOf(code: ErrorCode): "errors.validation_status" | "errors.other_statuses" | null {
  const kind = errors[code];
  if ("validation" in kind) return "errors.validation_status";
  return kind.status === 422 ? "errors.other_statuses" : null;
}

export function statusOf(code: ErrorCode, assumptions: GeneralAssumptions): number {
  const decidedBy = statusSwitchOf(code);
  return decidedBy === null ? errors[code].status : Number(assumptions[decidedBy]);
}

export function renderError(
  refusal: Refusal,
  requestId: string,
  assumptions: GeneralAssumptions,
): RenderedError {
  const { code, message, options } = refusal;
  const { type, message: title } = errors[code];
  const status = statusOf(code, assumptions);
  const { param = null, extra } = options;
  const details = options.details ?? (param ? [{ param, code, message }] : []);
  const rest = { param, details, request_id: requestId, ...extra };
  switch (assumptions["errors.body"]) {
    case "problem": {
      const uri = `urn:standin:error:${code}`;
      const body = { type: uri, title, status, detail: message, code, ...rest };
      return { status, contentType: shapes.problem.mediaType, body };
    }
    case "flat":
      return { status, contentType: json, body: { code, message } };
    default:
      return { status, contentType: json, body: { error: { type, code, message, ...rest } } };
  }
}

/** Returns the error code of a body in any common shape; null if it has none. */
export function errorCodeOf(body: unknown): string | null {
  const { error = body } = (body ?? {}) as { error?: unknown };
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" && /^[a-z][a-z_.]*$/i.test(code) ? code : null;
}
